import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What secret scanners and people know our keys by. */
const PREFIX = 'nws_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base62 characters carry 256 bits. */
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;
const SHOWN_LENGTH = 12;
const LENGTH = PREFIX.length + RANDOM_LENGTH + CHECK_LENGTH;
const SHAPE = /^nws_[0-9A-Za-z]{49}$/;

/** A new secret: `nws_`, 256 random bits, and a checksum that finds typing errors and made-up keys without any look-up. */
export function makeSecret(): string {
  // 32 bytes as one number in base 62: every value is as likely as any other, and 62^43 > 2^256 holds them all.
  const body = PREFIX + randomInBase62();
  return withCheck(body);
}

/** A secret from everything before its checksum. */
export const withCheck = (body: string): string => body + checkOf(body);

/** Whether a text can be one of our secrets at all. */
export function hasKeyShape(text: string): boolean {
  return text.length === LENGTH && SHAPE.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** All that is kept of a secret. Plain SHA-256 is enough for 256 random bits: nothing can be tried. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** The part of a secret that is shown afterwards. */
export const shownPrefix = (secret: string): string => secret.slice(0, SHOWN_LENGTH);

/** 32 bits are a whole number: with every request, and in a tenth of the time of a big one. */
function checkOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    text = (ALPHABET[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomInBase62(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let at = 0; at < RANDOM_LENGTH; at += 1) {
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}
