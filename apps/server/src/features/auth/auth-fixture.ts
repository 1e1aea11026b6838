import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Login } from '@nwms/contract';
import { testEngines } from '@nwms/testkit';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { AroundStatement, Database } from '../../platform/db/types.ts';
import { createClientAddress } from '../../platform/http/client-address.ts';
import { installIdentity } from '../../platform/http/identity.ts';
import { createServe } from '../../platform/http/serve.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { silentLog } from '../../platform/log.ts';
import type { AuditRecord } from '../audit/index.ts';
import { type Auth, type AuthConfigGroup, createAuth } from './index.ts';
import { DEFAULT_POLICY } from './policy.ts';
import type { AuthPolicy } from './types.ts';

export const CLIENT_ID = 'client-1.apps.example';
/** Cheap hashes: the cost itself is measured elsewhere. */
const COST_LOG2 = 10;

export const usableEngines = (await testEngines()).filter((engine) => engine.skip === null);

export interface AuthWorld {
  auth: Auth;
  app: FastifyInstance;
  database: Database;
  policy: AuthPolicy;
  audit: AuditRecord[];
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options?: CallOptions,
  ): Promise<{ status: number; body: any; headers: Record<string, unknown> }>; // oxlint-disable-line typescript/no-explicit-any -- tests read what they assert
  /** Through the local provider. */
  signIn(email: string, name?: string): Promise<Login>;
  close(): Promise<void>;
}

interface CallOptions {
  token?: string;
  body?: unknown;
  address?: string;
  headers?: Record<string, string>;
}

export interface WorldOptions {
  database: Database;
  clock?: Clock;
  config?: Partial<AuthConfigGroup>;
  fetch?: typeof fetch;
  trustedProxies?: readonly string[];
  passwordCostLog2?: number;
}

/** The slice on a real HTTP stack without a port. */
export async function authWorld(options: WorldOptions): Promise<AuthWorld> {
  const clock = options.clock ?? systemClock;
  const audit: AuditRecord[] = [];
  const policy: AuthPolicy = { ...DEFAULT_POLICY };
  const trustedProxies = options.trustedProxies ?? [];
  const address = createClientAddress(trustedProxies);
  const addressOf = (request: { raw: Parameters<typeof address>[0] }) => address(request.raw);
  const auth = await createAuth({
    database: options.database,
    clock,
    log: silentLog,
    random: Math.random,
    fetch: options.fetch ?? fetch,
    policy: () => policy,
    audit: { record: async (entry) => void audit.push(entry) },
    addressOf,
    passwordCostLog2: options.passwordCostLog2 ?? COST_LOG2,
    config: {
      googleClientId: null,
      googleJwksUrl: 'http://127.0.0.1:9/none',
      adminEmails: [],
      setupToken: null,
      signup: 'open',
      passwordLogin: true,
      localProvider: true,
      isPublic: false,
      ...options.config,
    },
  });
  const app = await createHttpServer({ clock, log: silentLog, corsOrigins: () => [], trustedProxies, page: () => null, secure: false });
  installIdentity(app, { identifySession: auth.identify, addressOf });
  auth.registerRoutes(createServe(app));
  await app.ready();
  const world: AuthWorld = {
    auth,
    app,
    database: options.database,
    policy,
    audit,
    async call(method, path, { token, body, address: remoteAddress, headers } = {}) {
      const request: InjectOptions = {
        method,
        url: `/api/v1${path}`,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
        ...(remoteAddress ? { remoteAddress } : {}),
      };
      const answer = await app.inject(request);
      return { status: answer.statusCode, body: answer.body === '' ? null : answer.json(), headers: answer.headers };
    },
    async signIn(email, name = 'Somebody') {
      const { body } = await world.call('POST', '/auth/local/token', { body: { name, email } });
      const answer = await world.call('POST', '/auth/google', { body: { token: body.token } });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body as Login;
    },
    async close() {
      await auth.stop();
      await app.close();
    },
  };
  return world;
}

/** A database of its own with the present schema; `dispose` removes it. */
export async function freshDatabase(
  engine = usableEngines[0],
  around?: AroundStatement,
): Promise<{ database: Database; second(): Promise<Database>; dispose(): Promise<void> }> {
  if (!engine) throw new Error('no engine');
  const place = await engine.place();
  const opened: Database[] = [];
  const open = async () => {
    const database = await openDatabase(place.config, { migrations: MIGRATIONS, ...(around ? { around } : {}) });
    opened.push(database);
    return database;
  };
  return {
    database: await open(),
    second: open,
    async dispose() {
      for (const database of opened) await database.close();
      await place.dispose();
    },
  };
}

export interface GoogleStandIn {
  url: string;
  /** Answers of the key address from now on. */
  mode: 'ok' | 'down' | 'empty';
  requests: number;
  privateKey: CryptoKey;
  publicJwk: JWK;
  kid: string;
  /** Signs as Google would; members given replace or (undefined) remove those of a good token. */
  token(claims?: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey): Promise<string>;
  addKey(kid: string): Promise<CryptoKey>;
  close(): Promise<void>;
}

/** Serves public keys and signs ID tokens with the private ones. */
export async function googleStandIn(now: () => number = Date.now): Promise<GoogleStandIn> {
  const kid = 'key-1';
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  const keys: JWK[] = [publicJwk];
  let n = 0;
  const server: Server = createServer((_request, response) => {
    standIn.requests += 1;
    if (standIn.mode === 'down') return void response.writeHead(500).end();
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' });
    response.end(JSON.stringify({ keys: standIn.mode === 'empty' ? [] : keys }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const standIn: GoogleStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`,
    mode: 'ok',
    requests: 0,
    privateKey,
    publicJwk,
    kid,
    token(claims = {}, header = {}, key = privateKey) {
      n += 1;
      const at = Math.floor(now() / 1_000);
      const payload = {
        iss: 'https://accounts.google.com',
        aud: CLIENT_ID,
        sub: `google-${n}`,
        email: `person${n}@gmail.com`,
        email_verified: true,
        name: 'A Person',
        iat: at,
        exp: at + 3_600,
        jti: `t${n}`,
        ...claims,
      };
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...header }).sign(key);
    },
    async addKey(newKid) {
      const pair = await generateKeyPair('RS256', { extractable: true });
      keys.push({ ...(await exportJWK(pair.publicKey)), kid: newKid, alg: 'RS256', use: 'sig' });
      return pair.privateKey;
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return standIn;
}
