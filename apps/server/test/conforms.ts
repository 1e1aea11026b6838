import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { expect } from 'vitest';

/** Compiled once each, apart from each other: schemas that share a named part cannot live in one instance. */
const compiled = new WeakMap<TSchema, ValidateFunction>();
function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = addFormats.default(new Ajv.default({ strict: false, allErrors: true })).compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** The answer has every member the contract documents, each of the documented form. */
export function conforms(schema: TSchema, body: unknown): void {
  const validate = validatorOf(schema);
  validate(body);
  expect(validate.errors?.slice(0, 3) ?? []).toEqual([]);
}
