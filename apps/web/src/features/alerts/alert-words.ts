import type { SlimAlert } from '@nwms/contract';
import { durationLabel, type TimeLabels } from '../../lib/time-labels.ts';

export type StateWord = 'Active' | 'Upcoming' | 'Expired' | 'Cancelled' | 'Replaced';

/** The badge of a state (R-03), and what the badge alone would hide. Unknown states of a newer server read as what `is_active` says. */
export function stateWords(alert: Pick<SlimAlert, 'state' | 'is_active'>): { word: StateWord; note: string | null } {
  switch (alert.state) {
    case 'upcoming':
      return { word: 'Upcoming', note: null };
    case 'expiring':
      return { word: 'Active', note: 'ends soon' };
    case 'unconfirmed':
      return { word: 'Active', note: 'unconfirmed' };
    case 'in_force':
      return { word: 'Active', note: null };
    case 'cancelled':
      return { word: 'Cancelled', note: null };
    case 'upgraded':
    case 'superseded':
      return { word: 'Replaced', note: null };
    case 'ended':
    case 'withdrawn':
      return { word: 'Expired', note: null };
    default:
      return { word: alert.is_active ? 'Active' : 'Expired', note: null };
  }
}

/** "in 15 h" or "4 min ago". */
export const relative = (atMs: number, nowMs: number): string =>
  atMs >= nowMs ? `in ${durationLabel((atMs - nowMs) / 1000)}` : `${durationLabel((nowMs - atMs) / 1000)} ago`;

/**
 * "Mon 12:48 – 19:00 EST", "Mon 12:48 – Tue 13:00 EST": what both ends share is said once; `labels.moment` ends in the time and the
 * zone's abbreviation, which may differ between them when clocks change.
 */
export function spanLabel(fromMs: number, untilMs: number | null, zone: string | undefined, labels: TimeLabels, nowMs: number): string {
  const from = labels.moment(fromMs, zone, nowMs);
  if (untilMs === null) return `${from}, no end set`;
  const begin = wordsOf(from);
  const end = wordsOf(labels.moment(untilMs, zone, nowMs));
  const oneDay = begin.day === end.day && untilMs - fromMs < 86_400_000;
  const oneZone = begin.zone === end.zone;
  return `${begin.day} ${begin.time}${oneZone ? '' : ` ${begin.zone}`} – ${oneDay ? '' : `${end.day} `}${end.time} ${end.zone}`;
}

function wordsOf(moment: string): { day: string; time: string; zone: string } {
  const words = moment.split(' ');
  return { day: words.slice(0, -2).join(' '), time: words.at(-2) ?? '', zone: words.at(-1) ?? '' };
}

/** Sentence about the times of an alert; `strong` is the one to look at. */
export function timingSentence(
  alert: Pick<
    SlimAlert,
    'state' | 'is_active' | 'in_force_from' | 'in_force_until' | 'ended_at' | 'time_zones' | 'upgraded_to' | 'text_overdue'
  >,
  labels: TimeLabels,
  nowMs: number,
): { lead: string; strong: string; tail: string } {
  const zone = alert.time_zones[0];
  const at = (iso: string): string => labels.moment(Date.parse(iso), zone, nowMs);
  const since = (iso: string): string => `(${relative(Date.parse(iso), nowMs)})`;
  const until = alert.in_force_until;
  if (!alert.is_active) {
    const ended = alert.ended_at;
    const strong = ended ? at(ended) : 'at a time not known';
    const tail = ended ? ` ${since(ended)}.` : '.';
    if (alert.state === 'cancelled') {
      return { lead: 'Cancelled ', strong, tail: until ? `${tail} It was to last until ${at(until)}.` : tail };
    }
    if (alert.state === 'upgraded' || alert.state === 'superseded') {
      return { lead: 'Replaced ', strong, tail: alert.upgraded_to ? `${tail} Now ${alert.upgraded_to}.` : tail };
    }
    if (alert.state === 'withdrawn') return { lead: 'Not in the feed for 12 hours; taken as over ', strong, tail };
    return { lead: 'Ended ', strong, tail };
  }
  if (alert.state === 'upcoming') {
    const end = until ? `, until ${at(until)}.` : ', until further notice.';
    return { lead: 'Starts ', strong: at(alert.in_force_from), tail: ` ${since(alert.in_force_from)}${end}` };
  }
  const open = until === null;
  const unconfirmed = alert.state === 'unconfirmed' ? ' It is missing from the last checks of the feed, and no message has ended it.' : '';
  const overdue = alert.text_overdue ? ' Its text is due for an update.' : '';
  if (open) return { lead: 'In force now, ', strong: 'until further notice', tail: `.${unconfirmed}${overdue}` };
  if (Date.parse(until) < nowMs) {
    return { lead: 'Was due to end ', strong: at(until), tail: ` ${since(until)}; nothing newer is known here.${unconfirmed}` };
  }
  const lead = alert.state === 'expiring' ? 'In force, ends soon: ' : 'In force now, until ';
  return { lead, strong: at(until), tail: ` ${since(until)}.${unconfirmed}${overdue}` };
}
