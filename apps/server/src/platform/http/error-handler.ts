import { ERRORS, type ErrorCode, type FieldFault } from '@nwms/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { problemBody } from './problem.ts';
import './served.ts';

/** Fastify's own refusals in our codes. Anything unknown is a 500 of ours. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_media',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed_json',
  FST_ERR_BAD_URL: 'route.not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'request.uri_too_long',
};

const REASONS: Record<string, FieldFault['reason']> = {
  required: 'required',
  additionalProperties: 'unknown',
  type: 'type',
  enum: 'enum',
  format: 'format',
  pattern: 'format',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
  minimum: 'range',
  maximum: 'range',
};

/** Where the validator's own words are about schemas. */
const WORDS: Readonly<Record<string, string>> = { required: 'is missing', additionalProperties: 'is not a field here' };

function fieldOf(fault: FastifySchemaValidationError): FieldFault {
  const params = fault.params as Record<string, unknown>;
  const member = (params['missingProperty'] ?? params['additionalProperty']) as string | undefined;
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const name = [path, member].filter(Boolean).join('.') || 'body';
  const said = WORDS[fault.keyword] ?? fault.message ?? 'is not accepted';
  const field: FieldFault = { name, reason: REASONS[fault.keyword] ?? 'format', message: `${name} ${said}` };
  if (Array.isArray(params['allowedValues'])) {
    field.allowed = params['allowedValues'].map(String);
    field.message = `${name} must be one of ${field.allowed.join(', ')}`;
  }
  if (fault.keyword === 'minimum') field.min = Number(params['limit']);
  if (fault.keyword === 'maximum') field.max = Number(params['limit']);
  return field;
}

function toAppError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error;
  // The deadline of a handler (serve.ts), as its signal says it.
  if (error.name === 'TimeoutError') {
    const text = 'The answer took longer than 10 s and was given up. Ask again, or for less.';
    return new AppError('server.timeout', { public: text, internal: error.message, retryAfterSeconds: 5, cause: error });
  }
  if (error.validation) {
    const fields = error.validation.map(fieldOf);
    const onlyUnknown = fields.every((field) => field.reason === 'unknown');
    return new AppError(onlyUnknown ? 'request.unknown_field' : 'request.invalid', {
      public: `${fields[0]?.message ?? 'Not accepted'}.`,
      fields,
    });
  }
  const code = FRAMEWORK_CODES[error.code] ?? (error.statusCode === 400 ? 'request.malformed_json' : 'server.internal');
  const detail =
    code === 'server.internal' ? 'Something went wrong on our side. Try again; if it stays, report the request_id.' : ERRORS[code].help;
  return new AppError(code, { public: detail, internal: error.message, cause: error });
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError, clock: Clock): FastifyReply {
  const status = ERRORS[error.code].status;
  request.errorCode = error.code;
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
  else if (status === 503) reply.header('Retry-After', '5');
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="nwms"');
  const body = problemBody({
    code: error.code,
    detail: error.detail,
    requestId: request.id,
    at: clock.now(),
    fields: error.fields,
    retryAfterSeconds: error.retryAfterSeconds ?? (status === 503 ? 5 : undefined),
    members: error.members,
  });
  // A string goes past the reply schema: error bodies have their own shape.
  return reply.code(status).type('application/problem+json; charset=utf-8').header('Cache-Control', 'no-store').send(JSON.stringify(body));
}

/** What the framework refuses before any hook runs (a URL that cannot be decoded, an id that is far too long): same body, same id. */
export function frameworkProblem(clock: Clock): (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    reply.header('X-Request-Id', request.id);
    void sendProblem(request, reply, toAppError(error), clock);
  };
}

/** One translation of every failure. The public text goes out, the internal one to the log with the request id. */
export function installErrorHandler(app: FastifyInstance, deps: { clock: Clock; log: Log }): void {
  app.setErrorHandler<FastifyError | AppError>((raw, request, reply) => {
    const error = toAppError(raw);
    const status = ERRORS[error.code].status;
    const fields = { code: error.code, requestId: request.id, route: request.routeOptions.url, internal: error.internal };
    // Said to everyone who asks while the product starts: no fault of anybody.
    if (error.code === 'data.unavailable') deps.log.info(fields, 'asked before any data was loaded');
    else if (status >= 500) deps.log.error({ ...fields, err: raw }, 'request failed');
    else deps.log.debug(fields, 'request refused');
    return sendProblem(request, reply, error, deps.clock);
  });
}
