import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import { parseSafeJson } from '../safe-json.ts';

const DETAILS = {
  too_deep: 'The body nests deeper than 32 levels.',
  bad_json: 'The body is not JSON.',
  poisoned: 'The body has a member named __proto__ or constructor, which is never accepted.',
} as const;

/**
 * The only body parser: exactly application/json (an optional charset aside), depth-bounded, poison keys refused. Every other content type is
 * 415; a lenient content-type match has let validation be skipped before (E2).
 */
export function installJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    const parsed = parseSafeJson(String(text));
    if (parsed.ok) return done(null, parsed.value);
    const code = parsed.reason === 'too_deep' ? 'request.too_deep' : 'request.malformed_json';
    return done(new AppError(code, { public: DETAILS[parsed.reason] }));
  });
}
