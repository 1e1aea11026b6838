import type { RawRow } from './rows.ts';

/** Made-up rows of each archive; what a test does not say is a sound value. */

export const DAY = '2024-05-21T';

export const warningColumns = (columns: Record<string, unknown> = {}): Record<string, unknown> => ({
  issue: `${DAY}18:00:00Z`,
  expire: `${DAY}18:45:00Z`,
  wfo: 'DMX',
  eventid: '27',
  status: 'EXP',
  updated: `${DAY}18:40:00Z`,
  ugc: 'IAC153',
  phenomena: 'TO',
  significance: 'W',
  init_expire: `${DAY}18:45:00Z`,
  product_issue: `${DAY}18:00:00Z`,
  is_emergency: 'f',
  ...columns,
});

export const warning = (columns: Record<string, unknown> = {}): RawRow => ({
  kind: 'warnings',
  columns: warningColumns(columns),
  geometry: null,
});

export const SQUARE = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [-94, 41],
        [-94, 42],
        [-93, 42],
        [-93, 41],
        [-94, 41],
      ],
    ],
  ],
};

export const polygon = (columns: Record<string, unknown> = {}, geometry: unknown = SQUARE): RawRow => ({
  kind: 'polygons',
  columns: {
    wfo: 'DMX',
    eventid: '27',
    significance: 'W',
    phenomena: 'TO',
    status: 'NEW',
    issue: `${DAY}18:00:00Z`,
    init_expire: `${DAY}18:45:00Z`,
    expire: `${DAY}18:45:00Z`,
    polygon_begin: `${DAY}18:00:00Z`,
    updated: `${DAY}18:00:00Z`,
    hailtag: '1.75',
    windtag: null,
    tornadotag: 'OBSERVED',
    tml_valid: `${DAY}17:59:00Z`,
    tml_direction: '240',
    tml_sknt: '30',
    tml_geom: { type: 'Point', coordinates: [-93.5, 41.5] },
    ...columns,
  },
  geometry,
});

export const watch = (columns: Record<string, unknown> = {}): RawRow => ({
  kind: 'watches',
  columns: { sel: 'SEL1 ', issued: `${DAY}16:00:00Z`, expired: '2024-05-22T00:00:00Z', type: 'TOR', num: '275', ...columns },
  geometry: SQUARE,
});

export const statement = (
  columns: Record<string, unknown> = {},
  geometry: unknown = { type: 'Polygon', coordinates: SQUARE.coordinates[0] },
): RawRow => ({
  kind: 'statements',
  columns: {
    product_id: '202405211804-KDMX-WWUS83-SPSDMX',
    pil: 'SPSDMX',
    wfo: 'DMX',
    issue: `${DAY}18:04:00Z`,
    expire: `${DAY}18:30:00Z`,
    ugcs: '{IAZ048,IAZ060}',
    max_hail_size: '0.50',
    max_wind_gust: '40',
    segmentnum: '0',
    ...columns,
  },
  geometry,
});
