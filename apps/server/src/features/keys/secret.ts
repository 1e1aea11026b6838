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
  const body = PREFIX + inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH);
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

const checkOf = (body: string): string => inBase62(BigInt(crc32(body)), CHECK_LENGTH);

function inBase62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let at = 0; at < length; at += 1) {
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return text;
}
