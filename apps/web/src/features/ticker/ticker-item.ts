import type { Ticker } from '@nwms/contract';

/** What the bar shows of one alert; `sample` ones are invented and say so. */
export type TickerItem = Omit<Ticker['breaking_alerts'][number], 'sample'> & { sample: boolean };

/** TICK-03, R-11: four looks; everything below Moderate, and everything invented, is slate. */
export type TickerTone = 'extreme' | 'severe' | 'moderate' | 'other';

const TONES: Readonly<Record<string, TickerTone>> = { Extreme: 'extreme', Severe: 'severe', Moderate: 'moderate' };

/** Samples are never coloured as danger: nobody should look for shelter because of one. */
export const toneOf = (item: Pick<TickerItem, 'severity' | 'sample'>): TickerTone =>
  item.sample ? 'other' : (TONES[item.severity] ?? 'other');

const sample = (number: number, event: string, location: string, severity: string): TickerItem => ({
  id: `sample-${number}`,
  event_id: `sample-${number}`,
  location,
  headline: `${event}: ${location}`,
  severity,
  emoji: '',
  // No instant: a sample must not look as if it had been issued at some time.
  timestamp: '',
  event,
  source: 'Sample',
  expires: null,
  in_force_until: null,
  state: 'sample',
  is_active: false,
  hazard_rank: 0,
  sample: true,
});

/** Shown while the list cannot be had and never was (TICK-06, R-01). Places that do not exist, so that nobody recognises theirs. */
export const SAMPLE_ITEMS: readonly TickerItem[] = [
  sample(1, 'Severe Thunderstorm Warning', 'Sample County', 'Severe'),
  sample(2, 'Flood Advisory', 'Example Valley', 'Minor'),
  sample(3, 'Winter Weather Advisory', 'Sample Foothills', 'Moderate'),
];
