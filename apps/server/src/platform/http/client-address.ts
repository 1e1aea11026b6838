import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Who a request comes from: the peer, or, behind listed proxies, the nearest address in X-Forwarded-For that is not one of them. */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits) trusted.addSubnet(address, Number(bits), family);
    else trusted.addAddress(address, family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return (request) => {
    let address = request.socket.remoteAddress ?? 'unknown';
    const forwarded = request.headers['x-forwarded-for'];
    // Nobody vouches for anybody: asked several times a request, and looking the peer up in a list takes microseconds.
    if (forwarded === undefined || trustedProxies.length === 0) return address;
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',').map((hop) => hop.trim());
    // From the right: each trusted hop vouches for the one before it, nobody else does.
    while (hops.length > 0 && isTrusted(address)) {
      const hop = hops.pop() ?? '';
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}
