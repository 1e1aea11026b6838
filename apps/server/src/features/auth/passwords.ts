import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import type { Passwords } from './types.ts';

/** What the product hashes at: OWASP's first choice for scrypt, 2^17 × 8 × 128 bytes = 128 MiB and about 0.36 s each, hence the bounds below (F9). */
export const PASSWORD_COST_LOG2 = 17;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Together 256 MiB, and two of the four threads that files and compression need as well. */
const AT_ONCE = 2;
/** About seven seconds of waiting, inside a handler's ten. */
const MAX_WAITING = 32;
const COMMON = 10_000;

interface Parameters {
  costLog2: number;
  salt: Buffer;
  key: Buffer;
}

/** New hashes cost `2^costLog2`; kept ones are compared at the cost they were made with. */
export async function createPasswords({ costLog2 }: { costLog2: number }): Promise<Passwords> {
  const common = await commonPasswords();
  const turn = createTurns();
  const derive = (password: string, salt: Buffer, log2: number) => turn(() => scryptKey(password, salt, log2));
  // Of a password nobody knows: verifying against it takes as long as against a real one.
  const nobody: Parameters = { costLog2, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, salt, costLog2);
      return ['scrypt', costLog2, BLOCK_SIZE, PARALLELISM, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async verify(password, hash) {
      const kept = hash === null ? null : read(hash);
      const { salt, key, costLog2: log2 } = kept ?? nobody;
      const isSame = timingSafeEqual(await derive(password, salt, log2), key);
      return kept !== null && isSame;
    },
    isCommon: (lowerCased) => common.has(lowerCased),
  };
}

function scryptKey(password: string, salt: Buffer, costLog2: number): Promise<Buffer> {
  const N = 2 ** costLog2;
  const options = { N, r: BLOCK_SIZE, p: PARALLELISM, maxmem: 256 * N * BLOCK_SIZE };
  return new Promise((done, failed) => {
    // NFKC: the same password typed on another keyboard is the same password.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? failed(error) : done(key)));
  });
}

function read(hash: string): Parameters | null {
  const [scheme, costLog2, blockSize, parallelism, salt = '', key = ''] = hash.split('$');
  if (scheme !== 'scrypt' || Number(blockSize) !== BLOCK_SIZE || Number(parallelism) !== PARALLELISM) return null;
  const parameters = { costLog2: Number(costLog2), salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
  return parameters.key.length === KEY_BYTES ? parameters : null;
}

/** Two at once, a bounded queue behind them, 503 beyond it: strangers cannot buy memory or minutes with wrong passwords. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING)
        throw new AppError('server.overloaded', { public: 'Too many sign-ins at once. Try again in a few seconds.', retryAfterSeconds: 5 });
      await new Promise<void>((next) => waiting.push(next));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next one directly, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  // Ranked, most common first.
  const ranked = dictionary['passwords-common'] as readonly string[];
  return new Set(ranked.slice(0, COMMON));
}
