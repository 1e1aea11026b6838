import { isIPv6 } from 'node:net';

/** What counts as one caller: an IPv4 address, or the /64 of an IPv6 address, which is what one household or host gets. */
export function addressKey(address: string): string {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':') || !isIPv6(plain)) return plain;
  const [head = '', tail = ''] = (plain.split('%')[0] ?? '').split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = plain.includes('::') ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : [];
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => (parseInt(group, 16) || 0).toString(16));
  return `${groups.join(':')}::/64`;
}
