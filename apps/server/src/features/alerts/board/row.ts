import type { Alert } from '@nwms/contract';
import type { EventState, Instant, PreparedShape } from '@nwms/domain';
import type { Places } from '../../places/types.ts';
import type { MessageLookup } from '../alert-area.ts';
import { encodeFull, encodeLive, encodeSlim } from '../encode.ts';
import { type HeavyMembers, type Presented, presentAlert } from '../present.ts';
import { foldText } from '../query/fold.ts';
import type { ShapeCache } from './shapes.ts';

/** What filters look at: a board row, an archive row, or an alert read back from the log. */
export interface FilterSubject {
  /** Wire members. Heavy ones may be missing only in slim answers, which are never filtered. */
  alert: Alert | (Omit<Alert, 'geometry'> & { geometry?: unknown });
  countable: boolean;
  /** Null when no shape is known. Prepared once. */
  shape(): PreparedShape | null;
  /** Headline, event, area and description, letter case and accents folded. */
  folded(): string;
}

/** One presented alert at one instant of the clock, encoded at most once per form. Immutable: a change makes a new row. */
export interface Row extends FilterSubject {
  event: EventState;
  presented: Presented;
  alert: Omit<Alert, 'geometry'>;
  order: OrderFacts;
  full(): Buffer;
  slim(): Buffer;
  live(): string;
}

/** Sort keys as numbers; null ends sort last. */
export interface OrderFacts {
  /** 0 in force, 1 upcoming, 2 over. */
  class: 0 | 1 | 2;
  until: number;
  endedAt: number;
  sent: number;
  effective: number;
  onset: number;
  expires: number;
  updatedAt: number;
}

/** Stands for "no end" in sort keys; JSON-safe, unlike Infinity. */
export const NO_END = Number.MAX_SAFE_INTEGER;

export interface RowInput {
  event: EventState;
  message: MessageLookup;
  places: Places;
  at: Instant;
  messageId?: string | undefined;
  shapes: ShapeCache;
}

export function createRow(input: RowInput): Row {
  // Nothing below holds on to the input: its lookup knows the messages of all events read with this one.
  const { event, shapes } = input;
  const presented = presentAlert(input);
  const alert: Omit<Alert, 'geometry'> = { ...presented.slim, ...(presented.heavy satisfies HeavyMembers) };
  let shape: PreparedShape | null | undefined;
  let folded: string | undefined;
  let full: Buffer | undefined;
  let slim: Buffer | undefined;
  return {
    event,
    presented,
    alert,
    countable: event.countable,
    order: orderFacts(input, presented),
    shape: () => (shape === undefined ? (shape = presented.area.shape && shapes.prepare(presented.area.shape)) : shape),
    folded: () => (folded ??= foldText(`${alert.headline ?? ''}\n${alert.event}\n${alert.area_desc}\n${alert.description ?? ''}`)),
    full: () => (full ??= Buffer.from(encodeFull(presented))),
    slim: () => (slim ??= Buffer.from(encodeSlim(presented))),
    live: () => encodeLive(presented),
  };
}

function orderFacts({ event, message, messageId }: RowInput, { evaluation }: Presented): OrderFacts {
  const own = message(messageId ?? event.currentId);
  return {
    class: evaluation.state === 'upcoming' ? 1 : evaluation.isActive ? 0 : 2,
    until: evaluation.inForceUntil ?? NO_END,
    endedAt: evaluation.endedAt ?? own?.sent ?? 0,
    sent: own?.sent ?? 0,
    effective: own?.effective ?? NO_END,
    onset: own?.onset ?? NO_END,
    expires: own?.expires ?? NO_END,
    updatedAt: event.updatedAt,
  };
}
