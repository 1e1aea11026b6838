import { createHash } from 'node:crypto';
import { clientErrors as contract, type ClientErrorReport } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { addressKey } from '../../platform/http/address-key.ts';
import { createAddressRate } from '../../platform/http/address-rate.ts';
import { decodeKeyset, encodeKeyset } from '../../platform/http/keyset-cursor.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import { scrub, scrubPage } from './scrub.ts';
import type { ClientErrorStore, ErrorGroup } from './types.ts';

export { createClientErrorStore } from './store.ts';
export type { ClientErrorStore } from './types.ts';

const REPORTS_PER_MINUTE = 6;
const KEPT_MS = 30 * 86_400_000;
/** Different errors kept at most: whoever invents new ones pushes out old ones, never the disk. */
const MAX_GROUPS = 5_000;
/** New groups between two looks at the bound. */
const LOOK_AFTER = 200;
const EXPIRE_EVERY_MS = 3_600_000;
const DEFAULT_LIMIT = 50;

export interface ClientErrors {
  registerRoutes(serve: Serve): void;
  start(): void;
  stop(): Promise<void>;
  expireNow(): Promise<void>;
}

export interface ClientErrorDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  store: ClientErrorStore;
  addressOf(request: FastifyRequest): string;
}

/** Collects what went wrong in people's browsers. Never fails the page: what cannot be stored is dropped and said in the log. */
export function createClientErrors(deps: ClientErrorDeps): ClientErrors {
  const { clock, log, store } = deps;
  const rate = createAddressRate(clock, REPORTS_PER_MINUTE);
  let sinceLook = 0;
  const expireNow = () => store.expire(clock.now() - KEPT_MS, MAX_GROUPS);
  const retention = every(deps, {
    name: 'client error retention',
    intervalMs: EXPIRE_EVERY_MS,
    run: async () => {
      await expireNow();
      return { kind: 'ok' };
    },
  });
  return {
    registerRoutes(serve) {
      serve(contract.reportClientErrors, async ({ body, request }) => {
        const waitSeconds = rate.take(addressKey(deps.addressOf(request)));
        if (waitSeconds > 0)
          throw new AppError('quota.flood', { public: 'At most six error reports per minute are taken.', retryAfterSeconds: waitSeconds });
        let accepted = 0;
        try {
          for (const error of body.errors) {
            await store.add(groupOf(error, body.app_version, clock.now()));
            accepted += 1;
          }
          sinceLook += accepted;
          if (sinceLook >= LOOK_AFTER) {
            sinceLook = 0;
            await expireNow();
          }
        } catch (error) {
          log.warn({ err: error }, 'Errors of a page could not be stored');
        }
        return { accepted };
      });
      serve(contract.listClientErrors, async ({ query, reply }) => {
        reply.header('Cache-Control', 'private, no-store');
        const limit = query.limit ?? DEFAULT_LIMIT;
        const position = query.cursor === undefined ? null : decodeKeyset(query.cursor, {});
        const groups = await store.list(position, limit + 1);
        const page = groups.slice(0, limit);
        const last = page.at(-1);
        return {
          errors: page.map(present),
          next_cursor: groups.length > limit && last ? encodeKeyset({ at: last.lastAt, id: last.fingerprint }, {}) : null,
        };
      });
    },
    start: () => retention.start(),
    stop: () => retention.stop(),
    expireNow,
  };
}

/** The reported time is the visitor's clock: only ours is kept. Numbers in messages differ from one to the next and do not make a group. */
function groupOf(error: ClientErrorReport['errors'][number], appVersion: string, now: number): ErrorGroup {
  const message = scrub(error.message);
  const stack = error.stack === undefined ? null : scrub(error.stack);
  const page = scrubPage(error.page);
  const frame = stack?.split('\n').find((line) => /:\d+/.test(line)) ?? '';
  const same = [error.kind, message, page, frame].map((part) => part.replaceAll(/\d+/g, '0')).join('\n');
  return {
    fingerprint: createHash('sha256').update(same).digest('base64url').slice(0, 22),
    kind: error.kind,
    message,
    stack,
    page,
    appVersion: scrub(appVersion),
    count: error.count,
    firstAt: now,
    lastAt: now,
  };
}

const present = (group: ErrorGroup) => ({
  fingerprint: group.fingerprint,
  kind: group.kind,
  message: group.message,
  stack: group.stack,
  page: group.page,
  app_version: group.appVersion,
  count: group.count,
  first_at: new Date(group.firstAt).toISOString(),
  last_at: new Date(group.lastAt).toISOString(),
});
