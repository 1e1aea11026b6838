import { silentLog } from '../../platform/log.ts';
import { describe, expect, it } from 'vitest';
import { createLocator, UNKNOWN_PLACE } from './locate.ts';

const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '192.168.1.1',
  '172.16.0.9',
  '100.64.0.1',
  '169.254.1.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '203.0.113.9',
  'unknown',
];

describe('places of addresses', () => {
  it('private, reserved and broken addresses are nowhere, and nothing is loaded for them', () => {
    const locator = createLocator({ log: silentLog, path: '/no/such/file' });
    for (const address of PRIVATE) expect(locator.placeOf(address)).toEqual(UNKNOWN_PLACE);
  });
  it('without a database everybody is nowhere: never a guess, never an error', async () => {
    const locator = createLocator({ log: silentLog, path: '/no/such/file' });
    expect(await locator.placeOf('8.8.8.8')).toEqual(UNKNOWN_PLACE);
    // From then on it is known that there is none.
    expect(locator.placeOf('8.8.4.4')).toEqual(UNKNOWN_PLACE);
    expect(locator.attribution()).toBeNull();
  });
  const installed = createLocator({ log: silentLog, path: null });
  it.skipIf(installed.attribution() === null)(
    'the installed database knows countries of both families, and credit is due for it',
    async () => {
      expect(await installed.placeOf('193.99.144.80')).toMatchObject({ country: 'DE' });
      expect(await installed.placeOf('2a02:2e0:3fe:1001::')).toMatchObject({ country: 'DE' });
      expect((await installed.placeOf('8.8.8.8')).country).toBe('US');
      expect(installed.attribution()?.url).toBe('https://db-ip.com');
    },
  );
});
