import * as admin from './admin.ts';
import * as ai from './ai.ts';
import * as alerts from './alerts.ts';
import * as audit from './audit.ts';
import * as clientErrors from './client-errors.ts';
import * as auth from './auth.ts';
import * as health from './health.ts';
import * as keys from './keys.ts';
import * as playback from './playback.ts';
import * as places from './places.ts';
import type { RouteSpec } from './route.ts';
import * as settings from './settings.ts';
import * as trends from './trends.ts';
import * as usage from './usage.ts';
import * as usagePeople from './usage-people.ts';

const isRoute = (value: unknown): value is RouteSpec =>
  typeof value === 'object' && value !== null && 'operation' in value && 'access' in value && 'method' in value;

/** Every route of the contract, in documentation order. The server serves exactly these. */
export const ALL_ROUTES: readonly RouteSpec[] = [
  alerts,
  auth,
  keys,
  admin,
  settings,
  audit,
  clientErrors,
  trends,
  playback,
  places,
  usage,
  usagePeople,
  ai,
  health,
].flatMap((area) => Object.values(area).filter(isRoute));
