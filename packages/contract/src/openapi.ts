import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from './errors.ts';
import { Problem } from './problem.ts';
import { EXAMPLES, type RequestExample } from './examples.ts';
import { costRuleOf, type RouteSpec } from './route.ts';
import { sampleOf } from './sample.ts';

type Json = Record<string, unknown>;

/** Codes every route can answer with, besides its own. */
const GENERAL: readonly ErrorCode[] = [
  'request.invalid',
  'request.unknown_parameter',
  'quota.minute_exceeded',
  'server.internal',
  'server.timeout',
];

/** TypeBox schemas are JSON Schema already; their private symbols and `~` members are not. */
const plain = (schema: TSchema): Json =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : (value as unknown)))) as Json;

/** Replaces named schemas by references and collects them as components. */
function withReferences(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withReferences(value, components)]));
  if (typeof $id !== 'string') return inner;
  components.set($id, inner);
  return { $ref: `#/components/schemas/${$id}` };
}

function parametersOf(spec: RouteSpec, { params = {}, query = {} }: RequestExample): Json[] {
  const read = (schema: RouteSpec['query'], where: 'query' | 'path', values: Readonly<Record<string, unknown>>): Json[] => {
    if (!schema) return [];
    const { properties = {}, required = [] } = plain(schema) as { properties?: Record<string, Json>; required?: string[] };
    return Object.entries(properties).map(([name, parameter]) => {
      const { description, ...rest } = parameter;
      return {
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description ? { description } : {}),
        schema: rest,
        ...(name in values ? { example: values[name] } : {}),
        ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
      };
    });
  };
  return [...read(spec.params, 'path', params), ...read(spec.query, 'query', query)];
}

function errorResponses(spec: RouteSpec): Json {
  const codes = [...new Set([...GENERAL, ...(spec.errors ?? [])])];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  const responses: Json = {};
  for (const [status, list] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[String(status)] = {
      description: list.map((code) => `\`${code}\`: ${ERRORS[code].help}`).join('\n\n'),
      'x-codes': list,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  return responses;
}

function successResponse(spec: RouteSpec, components: Map<string, Json>): Json {
  const content: Json = {};
  for (const type of spec.formats ?? []) if (type !== 'application/json') content[type] = { schema: { type: 'string' } };
  if (spec.reply) {
    const schema = withReferences(plain(spec.reply), components);
    content['application/json'] = { schema, example: sampleOf(schema, components) };
  }
  return { description: 'Success', ...(Object.keys(content).length > 0 ? { content } : {}) };
}

/** The OpenAPI 3.1 document of the whole contract. Deterministic: a checked-in snapshot is compared in a test. */
export function openApiDocument(routes: readonly RouteSpec[], info: { version: string; serverUrl: string }): Json {
  const components = new Map<string, Json>();
  withReferences(plain(Problem), components);
  const paths: Record<string, Json> = {};
  for (const spec of routes) {
    const asked = EXAMPLES[spec.operation] ?? {};
    const operation: Json = {
      operationId: spec.operation,
      tags: [spec.area],
      summary: spec.summary,
      ...(spec.description ? { description: spec.description } : {}),
      parameters: parametersOf(spec, asked),
      ...(spec.body
        ? {
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: withReferences(plain(spec.body), components),
                  ...(asked.body === undefined ? {} : { example: asked.body }),
                },
              },
            },
          }
        : {}),
      responses: { [String(spec.replyStatus ?? 200)]: successResponse(spec, components), ...errorResponses(spec) },
      'x-access': spec.access,
      'x-read-only': spec.method === 'GET' || (spec.readOnly ?? false),
      'x-cost': costRuleOf(spec).units,
      ...(spec.dearer ? { 'x-dearer': spec.dearer } : {}),
      ...(spec.allowance ? { 'x-allowance': spec.allowance } : {}),
    };
    const path = (paths[spec.path] ??= {});
    path[spec.method.toLowerCase()] = operation;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'NWMS weather alerts',
      version: info.version,
      description:
        'Alerts of the US National Weather Service as events with a life: what is in force where, now and as known at any instant. Every answer says how fresh it is; an empty list means "none" only with freshness status live or simulated.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl }],
    tags: [...new Set(routes.map((spec) => spec.area))].map((name) => ({ name })),
    paths,
    'x-errors': ERRORS,
    components: { schemas: Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))) },
  };
}
