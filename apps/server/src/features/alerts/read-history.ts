import type { alerts } from '@nwms/contract';
import type { RouteDeps } from './deps.ts';
import type { Found } from './find-one.ts';
import type { Row } from './board/row.ts';
import type { StoredRevision } from './types.ts';
import { ownTime, wireTime } from './wire-time.ts';

type History = Omit<alerts.AlertHistory, 'freshness'>;

/** An event's whole life: every revision, and the events it is tied to. */
export async function historyOf(deps: RouteDeps, { row }: Found): Promise<History> {
  const { event } = row;
  const revisions = await deps.archive.revisions(event.eventId);
  const current = deps.board.row(event.eventId) ?? row;
  return {
    event_id: event.eventId,
    event: event.event,
    current: current.presented.slim,
    versions: revisions.map(presentRevision),
    related: await relatedTo(deps, current),
  };
}

function presentRevision(revision: StoredRevision): History['versions'][number] {
  return {
    version: revision.version,
    id: revision.messageId,
    sent: wireTime(revision.sent),
    received_at: ownTime(revision.receivedAt),
    // Imported history is no part of the numbered log.
    seq: (revision.seq ?? 0) > 0 ? revision.seq : null,
    kind: revision.kind,
    action: revision.action as History['versions'][number]['action'],
    summary: revision.summary,
    diff: revision.diff,
  };
}

async function relatedTo(deps: RouteDeps, { event }: Row): Promise<History['related']> {
  const related: History['related'] = [];
  const nameOf = async (eventId: string) =>
    deps.board.row(eventId)?.alert.event ?? (await deps.archive.event(eventId))?.event.event ?? null;
  for (const [relation, eventId] of [
    ['upgraded_to', event.upgradedTo],
    ['upgraded_from', event.upgradedFrom],
  ] as const) {
    const name = eventId === null ? null : await nameOf(eventId);
    if (eventId !== null && name !== null) related.push({ event_id: eventId, relation, event: name });
  }
  const bulletins = new Set(
    event.versions.map(({ messageId }) => deps.board.message(messageId)?.bulletin).filter((hash) => typeof hash === 'string'),
  );
  const siblings = new Map<string, string>();
  for (const hash of bulletins) {
    for (const id of deps.board.bulletin(hash)) {
      const other = deps.board.rowOfMessage(id);
      if (other && other.event.eventId !== event.eventId) siblings.set(other.event.eventId, other.alert.event);
    }
  }
  return [...related, ...[...siblings].map(([eventId, name]) => ({ event_id: eventId, relation: 'same_bulletin' as const, event: name }))];
}
