/** INTL-01 */
export const EVENT_TYPES = [
  'Flood Warning',
  'Flash Flood Warning',
  'Severe Thunderstorm Warning',
  'Tornado Warning',
  'Winter Storm Warning',
  'Heat Advisory',
] as const;
/** INTL-02: days. */
export const PERIODS = [7, 30, 90] as const;
export type PeriodDays = (typeof PERIODS)[number];
/** INTL-02, R-21: patterns look back as far whatever the toggle says. */
export const PATTERN_DAYS = 90;

/** What the address of the page says. */
export interface IntelligenceSearch {
  /** One event type; all of them unless given. Names outside of the list work too. */
  event?: string | undefined;
  days?: PeriodDays | undefined;
  /** */
  panel?: 'ml' | undefined;
}

export function readIntelligenceSearch(search: Record<string, unknown>): IntelligenceSearch {
  const { event, panel } = search;
  const days = PERIODS.find((each) => each === Number(search['days']));
  return {
    event: typeof event === 'string' && event.trim() !== '' ? event.trim().slice(0, 100) : undefined,
    days,
    panel: panel === 'ml' ? 'ml' : undefined,
  };
}
