import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 networks that are not somewhere on the public internet (IANA special-purpose registry), with what they are. 192.88.99.0/24 and
 * the AS112 networks are routed, but lead to whoever announces them.
 */
const V4: readonly (readonly [network: string, bits: number, what: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'AS112'],
  ['192.52.193.0', 24, 'AMT'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'AS112'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved or broadcast'],
];

/** Inside 2000::/3, the only global unicast space that is given out; everything outside it is refused as a whole. */
const V6: readonly (readonly [network: string, bits: number, what: string])[] = [
  ['2001::', 23, 'protocol assignments, Teredo among them'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4, which embeds IPv4'],
  ['2620:4f:8000::', 48, 'AS112'],
  ['3fff::', 20, 'documentation'],
];

/** Interface identifiers `0:5efe:a.b.c.d` and `200:5efe:a.b.c.d` are ISATAP: the IPv4 address inside is where packets end. */
const ISATAP = /:(?:0|200)?:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;

/** Null = a public address of one host on the internet; else why it is not. */
export function addressFault(address: string): string | null {
  if (isIPv4(address)) return first(V4_LISTS, address, 'ipv4');
  if (!isIPv6(address)) return 'not an address';
  if (address.includes('%')) return 'of one link only';
  if (!GLOBAL_V6.check(address, 'ipv6')) return 'outside the public IPv6 space';
  // The URL parser writes addresses in their one canonical form; so the pattern sees no other spelling.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  if (ISATAP.test(canonical)) return 'ISATAP, which embeds IPv4';
  return first(V6_LISTS, address, 'ipv6');
}

const listOf = (network: string, bits: number, family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list;
};
const V4_LISTS = V4.map(([network, bits, what]) => ({ what, list: listOf(network, bits, 'ipv4') }));
const V6_LISTS = V6.map(([network, bits, what]) => ({ what, list: listOf(network, bits, 'ipv6') }));
const GLOBAL_V6 = listOf('2000::', 3, 'ipv6');

function first(lists: typeof V4_LISTS, address: string, family: 'ipv4' | 'ipv6'): string | null {
  return lists.find(({ list }) => list.check(address, family))?.what ?? null;
}
