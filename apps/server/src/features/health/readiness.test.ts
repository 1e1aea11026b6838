import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { createReadiness } from './readiness.ts';

const NOON = Date.UTC(2026, 10, 22, 12);

describe('readiness (API-10)', () => {
  it('waits while lists could only say that nothing can be concluded', async () => {
    const clock = fakeClock(NOON);
    let loaded = false;
    const waitingFor = createReadiness({ clock, loaded: () => loaded });
    expect(waitingFor()).toEqual(['the first list of alerts']);
    await clock.advance(29_000);
    expect(waitingFor()).toEqual(['the first list of alerts']);
    loaded = true;
    expect(waitingFor()).toEqual([]);
  });

  it('never falls again: stale alerts are served, marked, rather than no site at all', () => {
    let loaded = true;
    const waitingFor = createReadiness({ clock: fakeClock(NOON), loaded: () => loaded });
    expect(waitingFor()).toEqual([]);
    loaded = false;
    expect(waitingFor()).toEqual([]);
  });

  it('a weather service that is away from the start keeps nobody from the rest for longer than 30 s', async () => {
    const clock = fakeClock(NOON);
    const waitingFor = createReadiness({ clock, loaded: () => false });
    await clock.advance(30_000);
    expect(waitingFor()).toEqual([]);
  });
});
