import type { Diff } from './entry.ts';
import { isReissue } from './diff.ts';
import { evaluate } from './evaluate.ts';
import type { EventState } from './event.ts';
import type { AlertMessage } from './message.ts';
import type { Spoken } from './speak.ts';
import type { Lookup } from './standing.ts';
import { hazardRank, isLifeThreat } from './types.ts';
import { type Instant, type Kind, SEVERITIES, type Severity, type VtecAction } from './vocabulary.ts';

export interface KindFacts {
  before: EventState | undefined;
  after: EventState;
  message: AlertMessage;
  action: VtecAction | null;
  spoken: Spoken;
  diff: Diff | null;
  risen: boolean;
  now: Instant;
}

/** What a message means to those who follow the event. */
export function decideKind(facts: KindFacts): Kind {
  const { before, after, spoken, now } = facts;
  const evaluation = evaluate(after, now);
  // An update whose original we never saw is the issue for us; what is over when first seen is history.
  if (!before) return evaluation.isActive ? 'issued' : 'backfilled';
  if (!spoken.changed) return 'backfilled';
  if (evaluation.isActive) return activeKind(facts, before);
  if (before.told.ended) return 'backfilled';
  switch (evaluation.state) {
    case 'cancelled':
    case 'upgraded':
    case 'withdrawn':
      return evaluation.state;
    default:
      return 'ended';
  }
}

function activeKind({ message, action, diff, risen }: KindFacts, before: EventState): Kind {
  const firstIssue = action === 'NEW' || (action === null && message.messageType !== 'Update');
  if (before.told.ended && firstIssue) return 'issued';
  // All that was known of it was over when first seen (a part cancelled before we looked): now it is news.
  if (before.versions.every((version) => version.kind === 'backfilled')) return 'issued';
  if (risen) return 'escalated';
  return action === 'COR' || (diff !== null && isReissue(diff)) ? 'corrected' : 'revised';
}

/**
 * Escalation: severity rises, hazard rank rises, or a life-threat tag appears (trap 29). A message is compared with the one it replaces
 * for its zones; for zones new to the event, the event's leading message before and after.
 */
export function hasRisen(
  before: EventState,
  after: EventState,
  message: AlertMessage,
  predecessorId: string | null,
  lookup: Lookup,
): boolean {
  if (!after.standingIds.includes(message.id) || after.zones.every((zone) => zone.over)) return false;
  const from = lookup(predecessorId ?? before.currentId);
  const to = predecessorId === null ? lookup(after.currentId) : message;
  if (!from || !to) return false;
  if (severityRank(to.severity) > severityRank(from.severity)) return true;
  return hazardRank(to) > hazardRank(from) || (isLifeThreat(to) && !isLifeThreat(from));
}

/** 0 Unknown to 4 Extreme. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.length - 1 - SEVERITIES.indexOf(severity);
}
