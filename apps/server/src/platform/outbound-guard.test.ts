import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressFault } from './address-class.ts';
import { systemClock } from './clock.ts';
import { createOutboundGuard } from './outbound-guard.ts';

/** Every spelling of "here" or "inside" we know; `PORT` is where the canaries listen. Each must be refused without a connection. */
const LITERALS = [
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://017700000001:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.1:PORT/',
  'https://0x7f.0x0.0x0.0x1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://0177.0.0.01:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://127.127.127.127:PORT/',
  'https://127.0.0.255:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://１２７.0.0.1:PORT/',
  'https://127。0。0。1:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://0x0:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST:PORT/',
  'https://localhost.:PORT/',
  'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  'https://foo.localhost:PORT/',
  'https://printer.local:PORT/',
  'https://db.internal:PORT/',
  'https://intranet:PORT/',
  'https://1.0.0.127.in-addr.arpa:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2001:0:7f00:1::]:PORT/',
  'https://[2001:db8::1]:PORT/',
  'https://[2606:4700::5efe:127.0.0.1]:PORT/',
  'https://[2606:4700::200:5efe:7f00:1]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fd12:3456::1]:PORT/',
  'https://[ff02::1]:PORT/',
  'https://[100::1]:PORT/',
  'https://[3fff::1]:PORT/',
  'https://10.0.0.1:PORT/',
  'https://10.255.255.255:PORT/',
  'https://100.64.0.1:PORT/',
  'https://169.254.169.254:PORT/latest/meta-data/',
  'https://2852039166:PORT/latest/meta-data/',
  'https://172.16.0.1:PORT/',
  'https://172.31.255.255:PORT/',
  'https://192.0.0.1:PORT/',
  'https://192.0.2.1:PORT/',
  'https://192.88.99.1:PORT/',
  'https://192.168.1.1:PORT/',
  'https://198.18.0.1:PORT/',
  'https://198.51.100.1:PORT/',
  'https://203.0.113.1:PORT/',
  'https://224.0.0.1:PORT/',
  'https://255.255.255.255:PORT/',
  'https://user:secret@127.0.0.1:PORT/',
  'https://example.org@127.0.0.1:PORT/',
  'https://hooks.example.org:PORT@127.0.0.1:PORT/',
  'https://@hooks.nwms.dev:PORT/',
  'https://hooks.nwms.dev:22/',
  'https://hooks.nwms.dev:80/',
  'http://127.0.0.1:PORT/',
  'http://hooks.nwms.dev:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'data:text/plain,x',
  '//127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT/',
  'https:127.0.0.1:PORT/',
];

/** What a name service can answer to lead a name inside. */
const ANSWERS: [name: string, ...addresses: string[]][] = [
  ['one private answer', '127.0.0.1'],
  ['a public and a private answer', '93.184.215.14', '127.0.0.1'],
  ['a private answer last of many', '93.184.215.14', '93.184.215.15', '::1'],
  ['a mapped answer', '::ffff:127.0.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['a NAT64 answer', '64:ff9b::7f00:1'],
  ['an address of this server', '93.184.215.200'],
];

let canaries: Server[] = [];
let port = 0;
let touched = 0;
beforeAll(async () => {
  const listen = (host: string, at: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        touched += 1;
        socket.destroy();
      }).listen(at, host, () => resolve(server));
    });
  const first = await listen('127.0.0.1', 0);
  port = (first.address() as { port: number }).port;
  canaries = [first, await listen('::1', port)];
});
afterAll(() => {
  for (const server of canaries) server.close();
});

const guardWith = (lookup: (host: string) => Promise<LookupAddress[]>, alsoAllowed: (address: string) => boolean = () => false) =>
  createOutboundGuard({
    clock: systemClock,
    lookup,
    ports: [port],
    alsoAllowed,
    ownAddresses: () => ['93.184.215.200'],
    deadlineMs: 2_000,
  });
const family = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });
const attempt = { headers: {}, body: '{}' };

describe('the outbound guard (G1)', () => {
  it('has canaries that notice a connection', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      const before = touched;
      const result = await guardWith(
        async () => [family(address)],
        () => true,
      ).post({ url: `https://hooks.nwms.dev:${port}/`, ...attempt });
      expect(result.kind).toBe('failed');
      expect(touched).toBe(before + 1);
    }
  });

  it.each(LITERALS)('refuses %s before it connects, in forms and at sending', async (vector) => {
    const before = touched;
    const guard = guardWith(async () => [family('127.0.0.1')]);
    const url = vector.replaceAll('PORT', String(port));
    expect(guard.urlFault(url)).toEqual(expect.any(String));
    expect(await guard.post({ url, ...attempt })).toMatchObject({ kind: 'refused' });
    expect(touched).toBe(before);
  });

  it.each(ANSWERS)('refuses a name with %s', async (_what, ...addresses) => {
    const before = touched;
    const guard = guardWith(async () => addresses.map(family));
    expect(await guard.post({ url: `https://hooks.nwms.dev:${port}/`, ...attempt })).toMatchObject({ kind: 'refused' });
    expect(touched).toBe(before);
  });

  it('judges every attempt anew: a name that rebinds after the first check leads nowhere', async () => {
    const before = touched;
    const answers = ['93.184.215.14', '127.0.0.1'];
    const asked: string[] = [];
    const guard = guardWith(async () => {
      asked.push('asked');
      return [family(answers[Math.min(asked.length - 1, 1)] as string)];
    });
    const url = `https://rebind.nwms.dev:${port}/`;
    expect(guard.urlFault(url)).toBeNull();
    await guard.post({ url, ...attempt, signal: AbortSignal.abort() });
    expect(await guard.post({ url, ...attempt })).toMatchObject({ kind: 'refused' });
    expect(asked.length).toBe(2);
    expect(touched).toBe(before);
  });

  it('accepts public addresses and names', () => {
    const guard = createOutboundGuard({ clock: systemClock, ownAddresses: () => [] });
    for (const url of [
      'https://hooks.nwms.dev/x?y=1',
      'https://93.184.215.14/',
      'https://[2606:4700::1111]/',
      'https://hooks.nwms.dev:443/',
    ])
      expect(guard.urlFault(url), url).toBeNull();
    expect(guard.urlFault('https://hooks.nwms.dev:8443/')).toContain('port 443');
    expect(guard.urlFault(`https://hooks.nwms.dev/${'x'.repeat(2_048)}`)).toContain('2048');
  });

  it('knows the edges of the networks it refuses', () => {
    for (const inside of ['100.127.255.255', '172.31.255.255', '198.19.255.255', '239.255.255.255', '2001:1ff::1'])
      expect(addressFault(inside), inside).not.toBeNull();
    for (const outside of [
      '100.128.0.0',
      '172.32.0.0',
      '198.20.0.0',
      '223.255.255.255',
      '9.255.255.255',
      '11.0.0.0',
      '2001:200::1',
      '2003::1',
    ])
      expect(addressFault(outside), outside).toBeNull();
  });
});
