/** The API document as the in-app reference reads it: what each operation takes, costs and answers, and the request that shows it. */
import { credentialOf, type ExampleCall } from './code-examples.ts';
import type { ErrorRow } from './errors.ts';
import type { DearerCall } from '@nwms/domain';
import type { Access } from './route.ts';

/** A JSON schema as it stands in the document; `$ref` names one of `schemas`. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  required?: string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  const?: unknown;
  $ref?: string;
}

export type ParameterValue = string | number | boolean | readonly string[];

export interface ReferenceParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string | null;
  schema: SchemaNode;
  example?: ParameterValue;
}

export interface ReferenceOperation {
  operation: string;
  method: string;
  path: string;
  area: string;
  summary: string;
  description: string | null;
  access: Access;
  /** Units of quota of a plain call. */
  cost: number;
  /** Calls that cost more. */
  dearer: readonly DearerCall[];
  /** Allowance of its own: `tiles` or `stream`. */
  allowance: string | null;
  /** Whether asking changes nothing. */
  readOnly: boolean;
  parameters: readonly ReferenceParameter[];
  body: { schema: SchemaNode; example: unknown } | null;
  answer: { status: number; types: readonly string[]; schema: SchemaNode | null; example: unknown };
  /** Codes it can answer with, by status. */
  errors: readonly { status: number; codes: readonly string[] }[];
}

export interface Reference {
  operations: readonly ReferenceOperation[];
  errors: Readonly<Record<string, ErrorRow>>;
  schemas: Readonly<Record<string, SchemaNode>>;
}

interface Content {
  schema?: SchemaNode;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters: (Omit<ReferenceParameter, 'description'> & { description?: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content>; 'x-codes'?: string[] }>;
  'x-access': Access;
  'x-cost': number;
  'x-dearer'?: DearerCall[];
  'x-allowance'?: string;
  'x-read-only': boolean;
}
/** The parts of `/api/v1/openapi.json` that are read. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaNode> };
  'x-errors': Record<string, ErrorRow>;
}

export function readReference(document: ApiDocument): Reference {
  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation(method.toUpperCase(), path, operation)),
    ),
    errors: document['x-errors'],
    schemas: document.components.schemas,
  };
}

function readOperation(method: string, path: string, given: Operation): ReferenceOperation {
  const body = given.requestBody?.content['application/json'];
  const statuses = Object.entries(given.responses).map(([status, response]) => ({ status: Number(status), response }));
  const good = statuses.find(({ status }) => status < 300);
  const content = good?.response.content ?? {};
  const json = content['application/json'];
  return {
    operation: given.operationId,
    method,
    path,
    area: given.tags[0] ?? '',
    summary: given.summary,
    description: given.description ?? null,
    access: given['x-access'],
    cost: given['x-cost'],
    dearer: given['x-dearer'] ?? [],
    allowance: given['x-allowance'] ?? null,
    readOnly: given['x-read-only'],
    parameters: given.parameters.map((one) => ({ ...one, description: one.description ?? null })),
    body: body?.schema ? { schema: body.schema, example: body.example ?? {} } : null,
    answer: { status: good?.status ?? 200, types: Object.keys(content), schema: json?.schema ?? null, example: json?.example ?? null },
    errors: statuses.filter(({ status }) => status >= 400).map(({ status, response }) => ({ status, codes: response['x-codes'] ?? [] })),
  };
}

/** What the examples fill in; `given` replaces values by what somebody typed. */
export interface Filling {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, ParameterValue>>;
  body: unknown;
}

/** The values of the documented example. */
export function fillingOf({ parameters, body }: ReferenceOperation): Filling {
  const shown = parameters.filter(({ example, required }) => example !== undefined || required);
  return {
    params: Object.fromEntries(shown.filter((one) => one.in === 'path').map(({ name, example }) => [name, String(example ?? `{${name}}`)])),
    query: Object.fromEntries(
      shown.filter((one) => one.in === 'query' && one.example !== undefined).map(({ name, example }) => [name, example as ParameterValue]),
    ),
    body: body?.example,
  };
}

/** The request as code examples take it. */
export function exampleCallOf(operation: ReferenceOperation, origin: string, filling: Filling = fillingOf(operation)): ExampleCall {
  const { types } = operation.answer;
  const answer = types.includes('application/json')
    ? 'json'
    : types.includes('text/event-stream')
      ? 'stream'
      : types.length > 0
        ? 'bytes'
        : 'nothing';
  return {
    origin,
    operation: operation.operation,
    method: operation.method,
    path: operation.path,
    params: filling.params,
    query: filling.query,
    ...(operation.body ? { body: filling.body } : {}),
    credential: credentialOf(operation.access),
    answer,
  };
}
