import ajvCompiler from '@fastify/ajv-compiler';
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
/** What Fastify calls; its types name Ajv's whole validator, of which it reads `errors`. */
type Check = ((data: unknown) => unknown) & { errors?: unknown };
type Build<T> = (schemas: unknown, options: unknown) => (route: unknown) => T;

/**
 * Fastify's own schema compilers, each schema compiled at its first use. All routes together took 190 ms of every start; one takes a
 * millisecond of its first request. That every schema compiles is shown by the test that asks every route of the contract.
 */
export function lazySchemas(): Compilers {
  return {
    buildValidator: later(ajvCompiler() as unknown as Build<Check>, (make) => {
      let made: Check | null = null;
      // Fastify reads what was wrong from the function itself, right after calling it.
      const check: Check = (data) => {
        made ??= make();
        const answer = made(data);
        check.errors = made.errors;
        return answer;
      };
      return check;
    }) as unknown as NonNullable<Compilers['buildValidator']>,
    buildSerializer: later(serializerSelector() as unknown as Build<(data: unknown) => string>, (make) => {
      let made: ((data: unknown) => string) | null = null;
      return (data) => {
        made ??= make();
        return made(data);
      };
    }) as unknown as NonNullable<Compilers['buildSerializer']>,
  };
}

const later =
  <T>(build: Build<T>, whenCalled: (make: () => T) => T): Build<T> =>
  (schemas, options) => {
    const compile = build(schemas, options);
    return (route) => whenCalled(() => compile(route));
  };
