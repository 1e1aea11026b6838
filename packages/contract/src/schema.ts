import Type, { type TSchema } from 'typebox';

/** UTC instant, RFC 3339 with Z. Weather times to the second, our own to the millisecond. */
export const Ts = Type.String({ format: 'date-time', description: 'UTC, RFC 3339 with Z' });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
/** String enumeration from a vocabulary array. */
export const oneOf = <const V extends readonly string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
export const position = Type.Unsafe<[number, number]>({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 });
