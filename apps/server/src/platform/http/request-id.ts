import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** 20 base32 characters: 100 bits. */
export function randomBase32(length = 20): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

/** Random bytes are drawn for so many ids at once: a draw costs more than the id. */
const IDS_PER_DRAW = 256;
const ID_LENGTH = 20;

/** As `randomBase32`, for ids made in great numbers. */
function createIdSource(): () => string {
  let pool = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at >= pool.length) {
      pool = randomBytes(IDS_PER_DRAW * ID_LENGTH);
      at = 0;
    }
    let id = '';
    for (const end = at + ID_LENGTH; at < end; at += 1) id += ALPHABET[(pool[at] ?? 0) & 31];
    return id;
  };
}

/** Listed proxies may hand on their own request id, nobody else (F11). */
export function createRequestIds(trustedProxies: readonly string[]): { idFor(raw: IncomingMessage): string } {
  const nextId = createIdSource();
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits) trusted.addSubnet(address, Number(bits), family);
    else trusted.addAddress(address, family);
  }
  return {
    idFor(raw) {
      const inbound = raw.headers['x-request-id'];
      if (typeof inbound === 'string' && /^[A-Za-z0-9._:~-]{1,64}$/.test(inbound)) {
        const peer = raw.socket.remoteAddress ?? '';
        if (trusted.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return inbound;
      }
      return `req_${nextId()}`;
    },
  };
}
