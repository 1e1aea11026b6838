/** Quota units per UTC minute, day and month. */
export interface RequestLimits {
  perMinute: number;
  perDay: number;
  perMonth: number;
}

/** The account behind a session or a key, as far as routes need it. Read from the store, never from a token's claims (F2). */
export interface Account {
  id: string;
  username: string;
  email: string;
  role: 'user' | 'admin';
  specialAccess: boolean;
  /** Of all its keys together; sessions have an allowance of their own that follows from it. */
  limits: RequestLimits;
}

/** Who makes a request. `address`: of the client as far as it can be trusted; IPv6 as its /64. */
export type Principal =
  | { type: 'anonymous'; address: string }
  /** `mustChangePassword`: the session was begun with a password that an administrator chose. */
  | { type: 'session'; address: string; account: Account; sessionId: string; mustChangePassword?: boolean }
  | { type: 'key'; address: string; account: Account; keyId: string; keyLimits: RequestLimits };

/** What a request carries to say who makes it. */
export type Credential = { kind: 'session'; token: string } | { kind: 'key'; key: string };

export type KnownPrincipal = Exclude<Principal, { type: 'anonymous' }>;

/**
 * Answers a credential of its kind: at once where memory knows it. Throws or rejects with the AppError that says why it is refused: 401 codes when
 * certain, 503 `server.database_unavailable` when it cannot be known.
 */
export type IdentifyCredential = (secret: string, address: string) => KnownPrincipal | Promise<KnownPrincipal>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the identity hook on routes that read credentials; null elsewhere. */
    principal: Principal | null;
  }
}
