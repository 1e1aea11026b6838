import { describe, expect, test } from 'vitest';
import { alertFixture } from '../alert-fixture.ts';
import { diffLines, tagLabel } from './diff-words.ts';
import { sourceLink } from './source-link.ts';
import { tagsOf, tagValue } from './tag-words.ts';
import { textSections } from './text-sections.ts';
import { vtecSentence } from './vtec-words.ts';

describe('the link to the weather service', () => {
  test.each(['https://api.weather.gov/alerts/urn:oid:2.49.0.1.840.0.1', 'https://weather.gov/x', 'https://www.weather.gov'])(
    'DETL-04: %s is its own page',
    (address) => expect(sourceLink(address)).toContain('weather.gov'),
  );

  test.each([
    'http://api.weather.gov/alerts/1',
    'https://api.weather.gov.example.com/alerts/1',
    'https://example.com/api.weather.gov/alerts/1',
    'https://example.com/?x=https://weather.gov',
    'https://notweather.gov/alerts/1',
    'https://api.weather.gov@example.com/',
    'https://user:word@api.weather.gov/',
    'https://api.weather.gov:8443/',
    'javascript:alert("weather.gov")',
    'urn:oid:weather.gov',
    '',
    null,
    undefined,
  ])('DETL-04: %s is not linked', (address) => expect(sourceLink(address)).toBeNull());
});

describe('the official text', () => {
  test('DETL-01: every word stays, in order, and the sections it has get headings', () => {
    const text =
      'Snow will come.\n\n* WHAT...Heavy snow expected. Total accumulations between 6 and 10\ninches.\n\n* WHERE...Oswego County.\n\n* IMPACTS...Travel\ncould be difficult.';
    expect(textSections(text)).toEqual([
      { heading: null, body: 'Snow will come.' },
      { heading: 'What', body: 'Heavy snow expected. Total accumulations between 6 and 10 inches.' },
      { heading: 'Where', body: 'Oswego County.' },
      { heading: 'Impacts', body: 'Travel\ncould be difficult.' },
    ]);
    const words = (all: string) => all.toLowerCase().match(/[a-z0-9]+/g);
    expect(
      words(
        textSections(text)
          .map(({ heading, body }) => `${heading ?? ''} ${body}`)
          .join(' '),
      ),
    ).toEqual(words(text));
  });

  test('sections of warnings, and words that only look like one', () => {
    expect(textSections('HAZARD...60 mph wind gusts.').at(0)).toEqual({ heading: 'Hazard', body: '60 mph wind gusts.' });
    expect(textSections('WHATEVER...happens.').at(0)?.heading).toBeNull();
    expect(textSections('\r\n\r\n')).toEqual([]);
  });
});

describe('decoded VTEC', () => {
  const vtec = {
    raw: '/O.CON.KDMX.FL.W.0012.000000T0000Z-260502T0000Z/',
    class: 'O',
    action: 'CON',
    office: 'KDMX',
    phenomenon: 'FL',
    significance: 'W',
    etn: 12,
    begins_at: null,
    ends_at: '2026-05-02T00:00:00Z',
    event_id: 'KDMX.FL.W.0012.2026',
  } as const;

  test('says which event of which office and what happens to it', () =>
    expect(vtecSentence(vtec)).toBe('Flood Warning no. 12 of KDMX: continued'));

  test('codes nobody knows stay codes, and a test product is said to be one', () =>
    expect(vtecSentence({ ...vtec, class: 'T', phenomenon: 'QQ', significance: 'A', action: 'NEW' })).toBe(
      'QQ watch no. 12 of KDMX: test product, new',
    ));
});

describe('what a revision changed', () => {
  const words = {
    moment: (iso: string) => iso.slice(11, 16),
    zone: (ugc: string) => ({ IAC001: 'Adair', IAC003: 'Adams' })[ugc] ?? ugc,
    tag: (name: string, value: string | number | null) => tagValue(name, value, 'imperial'),
  };

  test('each change is one line with before and after', () => {
    const times = { in_force_until: { from: '2026-05-01T18:00:00Z', to: '2026-05-01T20:00:00Z', delta_seconds: 7200 } };
    const area = {
      added: ['IAC001', 'IAC003'],
      removed: [
        { ugc: 'IAC005', reason: 'cancelled' as const },
        { ugc: 'IAC007', reason: 'dropped' as const },
      ],
    };
    const tags = { max_wind_gust_kmh: { from: 96.56064, to: null } };
    expect(diffLines({ severity: { from: 'Minor', to: 'Severe' }, times, area, tags }, words)).toEqual([
      'Severity: Minor → Severe',
      'End: 18:00 → 20:00',
      'Added: Adair; Adams',
      'Out of it (cancelled): IAC005',
      'Out of it (no longer named): IAC007',
      'Wind gusts up to: 60 mph → none',
    ]);
  });

  test('an end that is lifted reads as further notice, a plain re-issue says nothing', () => {
    const times = { in_force_until: { from: '2026-05-01T18:00:00Z', to: null, delta_seconds: null } };
    expect(diffLines({ times }, words)).toEqual(['End: 18:00 → further notice']);
    expect(diffLines({}, words)).toEqual([]);
  });

  test('a long list of places is counted, not cut silently', () => {
    const added = Array.from({ length: 11 }, (_, index) => `IAZ0${10 + index}`);
    expect(diffLines({ area: { added, removed: [] } }, words)[0]).toMatch(/ and 3 more$/);
  });
});

describe('impact tags', () => {
  test('only tags the message has are shown, in the reader’s units', () => {
    const { impact_tags } = alertFixture();
    const alert = { impact_tags: { ...impact_tags, tornado_detection: 'radar_indicated', max_hail_size_mm: 44.45 } };
    expect(tagsOf(alert).map(([name, value]) => `${tagLabel(name)}: ${tagValue(name, value, 'imperial')}`)).toEqual([
      'Tornado detection: radar indicated',
      'Hail up to: 1.75 in',
    ]);
    expect(tagValue('max_hail_size_mm', 44.45, 'metric')).toBe('44 mm');
  });
});
