import type { UsageBusiness } from '@nwms/contract';
import { DAY_MS, dateOf, dayRowOf, daysOfWindow } from '@nwms/domain';
import { askedOf, createRecorded, type DaysQuery, type FigureDeps, periodMembers } from './answer.ts';
import { daysOf, segmentsOf } from './segments.ts';
import type { CounterName } from './types.ts';

/** `counted`: what something of this product counts. The others are null, not zero: nobody looked. */
export async function businessFigures(deps: FigureDeps & { counted: ReadonlySet<CounterName> }, query: DaysQuery): Promise<UsageBusiness> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const [since, figures] = await Promise.all([
    deps.reads.since(),
    deps.figures(
      {
        name: 'business',
        parts: [
          {
            kinds: ['all'],
            segments: daysOf(window),
            counts: ['alerts', 'geographic', 'time_filtered'],
            by: 'day',
            into: { total: () => '', day: (row) => String(dayRowOf(window, row.start)) },
          },
          { kinds: ['counter'], segments: segmentsOf(window), counts: ['requests'], into: { counter: (row) => row.name } },
        ],
        principal,
      },
      asked.breathe,
    ),
  ]);
  const days = daysOfWindow(window);
  const ofDay = createRecorded(since, DAY_MS);
  const total = figures.one('total');
  // They are not told apart by who got them.
  const counter = (name: CounterName) => (principal === null && deps.counted.has(name) ? figures.one('counter', name).requests : null);
  const named = {
    alerts_streamed: counter('alerts_streamed'),
    tiles_served: counter('tiles'),
    push_sent: counter('push_sent'),
    webhooks_delivered: counter('webhooks_delivered'),
    ai_answers: counter('ai_answers'),
  };
  return {
    total_alerts_served: total.alerts,
    geographic_queries: total.geographic,
    time_filtered_queries: total.time_filtered,
    ...named,
    daily: days.map((at) => {
      const tally = figures.one('day', String(at));
      return {
        date: dateOf(at),
        alerts_served: ofDay.count(at, tally.alerts),
        geographic_queries: ofDay.count(at, tally.geographic),
        time_filtered_queries: ofDay.count(at, tally.time_filtered),
      };
    }),
    ...periodMembers(asked, [
      ...ofDay.missing('daily', days),
      ...Object.entries(named).flatMap(([field, value]) =>
        value === null ? [{ field, reason: 'not_recorded' as const, have: null, need: null }] : [],
      ),
    ]),
  };
}
