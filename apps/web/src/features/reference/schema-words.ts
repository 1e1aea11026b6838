import type { ParameterValue, SchemaNode } from '@nwms/contract/read-reference';

/** "integer from 1 to 1000", "list of Alert", "text or null": what a value is, in a few words. */
export function typeWords(schema: SchemaNode): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeWords).join(' or ');
  if (schema.enum) return schema.enum.length <= 12 ? `one of ${schema.enum.join(', ')}` : `one of ${schema.enum.length} words`;
  const [type = 'any'] = [schema.type].flat();
  if (type === 'array') {
    const of = schema.items ? ` of ${typeWords(schema.items)}` : '';
    return `list${of}${schema.maxItems && schema.maxItems !== schema.minItems ? `, at most ${schema.maxItems}` : ''}`;
  }
  if (type === 'string') {
    if (schema.format === 'date-time') return 'instant (RFC 3339)';
    return schema.maxLength ? `text, at most ${schema.maxLength} characters` : 'text';
  }
  if (type === 'integer' || type === 'number') return numberWords(type, schema);
  return type === 'boolean' ? 'true or false' : type;
}

function numberWords(type: string, { minimum, maximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return `${type} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${type} from ${minimum} on`;
  return maximum === undefined ? type : `${type} up to ${maximum}`;
}

/** Words to choose from instead of typing; null for what is typed. */
export function choicesOf(schema: SchemaNode): readonly string[] | null {
  if (schema.enum) return schema.enum.map(String);
  return schema.type === 'boolean' ? ['true', 'false'] : null;
}

/** What was typed as the value it stands for in code: numbers, truth values and lists; anything else stays text, for the server to judge. */
export function valueOf(schema: SchemaNode, typed: string): ParameterValue {
  if ((schema.type === 'integer' || schema.type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(typed)) return Number(typed);
  if (schema.type === 'boolean' && (typed === 'true' || typed === 'false')) return typed === 'true';
  if (schema.type === 'array') return typed.split(',').map((part) => part.trim());
  return typed;
}

/** As it stands in a field. */
export const typedOf = (value: ParameterValue | undefined): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value);

/** Members of an object, or of the rows of a list, with references followed; null for what has none. */
export function membersOf(schema: SchemaNode, schemas: Readonly<Record<string, SchemaNode>>): SchemaNode | null {
  if (schema.$ref) return membersOf(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  if (schema.properties) return schema;
  if (schema.items) return membersOf(schema.items, schemas);
  for (const choice of schema.anyOf ?? schema.oneOf ?? []) {
    const found = membersOf(choice, schemas);
    if (found) return found;
  }
  return null;
}
