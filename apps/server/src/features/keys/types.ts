import type { Instant } from '@nwms/domain';
import type { RequestLimits } from '../../platform/http/principal.ts';

/** A key as kept. Its secrets are apart, as hashes. */
export interface KeyRow {
  id: string;
  userId: string;
  description: string;
  isActive: boolean;
  limits: RequestLimits;
  createdAt: Instant;
  updatedAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
  lastCountry: string | null;
  lastAgent: string | null;
  totalRequests: number;
  version: number;
}

/** A key that may not be used any more, or one secret of it, by the name it is watched by. */
export type EndedKey = { keyId: string } | { credential: string };

/** What whoever shows a country says beside it. */
export interface PlaceCredit {
  text: string;
  url: string;
}

/** One secret of a key: the one without an end is the key's own, an ending one is the one before it. */
export interface SecretRow {
  hash: string;
  keyId: string;
  /** First characters, for people to tell keys apart. */
  prefix: string;
  createdAt: Instant;
  endsAt: Instant | null;
}

/** What a key did since it was last written down. */
export interface KeyUse {
  keyId: string;
  requests: number;
  /** Null: not to be written this time. */
  lastAt: Instant | null;
  agent: string | null;
  country: string | null;
}

/** Requests of a key in one UTC minute to one endpoint. */
export interface KeyMinute {
  keyId: string;
  /** Minutes since 1970. */
  minute: number;
  /** Method and path of the route, e.g. `GET /alerts`. */
  endpoint: string;
  allowed: number;
  refused: number;
}
