import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('the address of a caller', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', '::ffff:127.0.0.1', '2001:db8::1']);

  it.each([
    ['198.51.100.7', undefined, '198.51.100.7'],
    ['198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['10.1.2.3', '192.0.2.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['10.1.2.3', 'not an address', '10.1.2.3'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:5::1', '2001:db8:5::1'],
  ])('%s with X-Forwarded-For %s is %s', (peer, forwarded, expected) => {
    expect(addressOf(request(peer, forwarded))).toBe(expected);
  });
});
