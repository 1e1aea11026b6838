import { describe, expect, it } from 'vitest';
import { coverageScopeOf } from './coverage-scope.ts';

describe('what a filter lets imports answer', () => {
  it('ALRT-05: names of events and codes of places, and nothing that archives have no words for', () => {
    const event = ['Tornado Warning'];
    expect(coverageScopeOf({ event })).toEqual({ events: event, codes: [] });
    expect(coverageScopeOf({ event, office: ['kdmx'], ugc: ['IAC153'], active_only: true })).toEqual({
      events: event,
      codes: ['KDMX', 'IAC153'],
    });
    for (const more of [
      { q: 'hail' },
      { severity: ['Severe' as const] },
      { certainty: ['Observed' as const] },
      { bbox: '-94,41,-93,42' },
      { lat: 41, lon: -93 },
      { same: ['019153'] },
      { tag: ['tornado_detection:observed'] },
      { source: ['nws' as const] },
      { time_field: 'expires' },
    ]) {
      expect(coverageScopeOf({ event, ...more })).toEqual({});
    }
    expect(coverageScopeOf({ office: ['KDMX'] }).events).toBeUndefined();
  });
});
