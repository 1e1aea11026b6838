import fc from 'fast-check';
import { applyMessage } from './apply-message.ts';
import type { EntryDraft } from './entry.ts';
import { evaluate, evaluateMessage, evaluateZone, overAt } from './evaluate.ts';
import { HOUR, MINUTE, message, NOON, vtecText } from './fixture.ts';
import { orderForApply } from './in-force.ts';
import { createMemoryIndex } from './memory-index.ts';
import type { AlertMessage } from './message.ts';
import { applyPresence } from './presence.ts';
import { nextTransitionAt, tick } from './tick.ts';

/**
 * An independent model of what NWS messages mean, on purpose far simpler than the machine: of all messages delivered so far the newest
 * that names a zone decides for it. No versions, no entries, no presence.
 */
interface Said {
  id: string;
  sent: number;
  terminal: boolean;
  until: number | null;
}
type Model = Map<string, Said>;

function hear(model: Model, m: AlertMessage): void {
  const [v] = m.vtec;
  if (!v) return;
  const terminal = v.action === 'CAN' || v.action === 'UPG';
  const said = { id: m.id, sent: m.sent, terminal, until: v.endsAt };
  for (const { code } of m.zones) {
    const key = `${v.etn}/${code}`;
    const old = model.get(key);
    const newer = !old || said.sent > old.sent || (said.sent === old.sent && (old.terminal !== terminal ? old.terminal : said.id > old.id));
    if (newer) model.set(key, said);
  }
}

const alive = (said: Said, now: number) => !said.terminal && (said.until === null || said.until > now);

const ZONES = ['IAC001', 'IAC003', 'IAC005', 'IAC007'];
const ACTIONS = ['NEW', 'CON', 'CON', 'EXT', 'EXA', 'COR', 'CAN', 'UPG', 'EXP'] as const;

const segment = fc.record({
  etn: fc.integer({ min: 1, max: 2 }),
  action: fc.constantFrom(...ACTIONS),
  mask: fc.integer({ min: 1, max: 15 }),
  /** Minutes from `sent` to the end; 0 = until further notice. */
  lasts: fc.constantFrom(0, 5, 30, 90, 240),
  /** Minutes from `sent` to the beginning. */
  begins: fc.constantFrom(0, 0, 3, 60),
  /** Escalation must not disturb ends. */
  extreme: fc.boolean(),
  /** Steps until upstream shows it to us: 0 at once, 3 very late, out of order. */
  delay: fc.constantFrom(0, 0, 0, 1, 3),
});
const stepOf = fc.record({
  /** Minutes that pass before the step. */
  minutes: fc.constantFrom(0, 1, 10, 45, 200, 400),
  segments: fc.array(segment, { maxLength: 3 }),
  /** Which events a stale node leaves out of this poll. */
  flicker: fc.integer({ min: 0, max: 3 }),
  reverse: fc.boolean(),
  again: fc.boolean(),
});
export const history = fc.array(stepOf, { minLength: 1, maxLength: 8 });
export type History = (typeof stepOf extends fc.Arbitrary<infer S> ? S : never)[];

export interface Run {
  entries: EntryDraft[];
  faults: string[];
  index: ReturnType<typeof createMemoryIndex>;
  now: number;
}

export const OVER_KINDS = new Set(['ended', 'cancelled', 'upgraded', 'withdrawn']);

/** Plays a history: new messages, duplicates, a poll with flicker, the clock; compares with the model after every step. */
export function play(steps: History, reversePages: boolean): Run {
  const index = createMemoryIndex();
  const entries: EntryDraft[] = [];
  const faults: string[] = [];
  const model: Model = new Map();
  const waiting: { due: number; m: AlertMessage }[] = [];
  const delivered: AlertMessage[] = [];
  const lastListed = new Map<string, number>();
  let now = NOON;
  let serial = 0;

  const put = (event: EntryDraft['event'], made: EntryDraft[]) => {
    const frozen = JSON.stringify(event);
    index.put(event);
    entries.push(...made);
    for (const entry of made) checkEntry(entry);
    if (JSON.stringify(event) !== frozen) faults.push('an event was changed in place');
  };
  const modelAlive = (etn: number) => [...model].some(([key, said]) => key.startsWith(`${etn}/`) && alive(said, now));
  const checkEntry = (entry: EntryDraft) => {
    const etn = Number(entry.eventId.split('.')[3]);
    if (!OVER_KINDS.has(entry.kind)) return;
    if (entry.kind === 'withdrawn') {
      const open = [...model].filter(([key, said]) => key.startsWith(`${etn}/`) && alive(said, now));
      if (open.some(([, said]) => said.until !== null)) faults.push('withdrawn although an end is known');
      if (now - (lastListed.get(entry.eventId) ?? -Infinity) < 12 * HOUR) faults.push('withdrawn although listed within 12 h');
    } else if (modelAlive(etn)) faults.push(`false end: ${entry.kind} of ${entry.eventId}`);
  };

  for (const [at, step] of steps.entries()) {
    now += step.minutes * MINUTE;
    for (const event of index.events()) {
      const stepped = tick(event, now);
      if (stepped.entries.length > 0 && (nextTransitionAt(event, now) ?? Infinity) > now) faults.push('a transition came unannounced');
      put(stepped.event, stepped.entries);
      if (tick(stepped.event, now).entries.length > 0) faults.push('the clock told something twice');
      const next = nextTransitionAt(stepped.event, now);
      if (next !== null && next <= now) faults.push('a transition is still due after the tick');
    }
    for (const s of step.segments) {
      const until = s.lasts === 0 ? null : now + s.lasts * MINUTE;
      const key = `KDMX.SV.W.${String(s.etn).padStart(4, '0')}`;
      const m = message({
        id: `m${String(++serial).padStart(3, '0')}`,
        sent: now - (serial % 2) * 30_000,
        vtec: vtecText(s.action, key, s.begins === 0 ? null : now + s.begins * MINUTE, until ?? (s.action === 'EXP' ? now : null)),
        zones: ZONES.filter((_, i) => s.mask & (1 << i)),
        severity: s.extreme ? 'Extreme' : 'Severe',
        messageType: s.action === 'NEW' ? 'Alert' : 'Update',
      });
      waiting.push({ due: at + s.delay, m });
    }
    const batch = waiting.filter((w) => w.due === at || (at === steps.length - 1 && w.due >= at)).map((w) => w.m);
    const repeats = step.again ? delivered.slice(-2) : [];
    const pages = [...batch, ...repeats];
    if (step.reverse !== reversePages) pages.reverse();
    for (const m of orderForApply(pages)) {
      const fresh = !delivered.includes(m);
      const applied = applyMessage(index, m, { now, listed: true, pollStartedAt: now });
      if (!fresh && applied.entries.length > 0) faults.push('a duplicate was told');
      index.putMessage(m);
      if (fresh) hear(model, m);
      for (const event of applied.events) put(event, []);
      // Model first: within a batch the later messages of the same instant are not heard yet.
      entries.push(...applied.entries);
      for (const entry of applied.entries) checkEntry(entry);
      for (const event of applied.events) lastListed.set(event.eventId, now);
      if (fresh) delivered.push(m);
    }
    const omitted = (eventId: string) => (step.flicker & (1 << (Number(eventId.split('.')[3]) - 1))) !== 0;
    const listed = new Set(delivered.filter((m) => !omitted(index.byMessage(m.id)?.eventId ?? '')).map((m) => m.id));
    now += 30_000;
    for (const event of index.events()) {
      if (!omitted(event.eventId)) lastListed.set(event.eventId, now);
      const stepped = applyPresence(event, { startedAt: now, listed }, now);
      put(stepped.event, stepped.entries);
    }
    compare();
  }
  return { entries, faults, index, now };

  function compare(): void {
    for (const [key, said] of model) {
      const [etn = '', code = ''] = key.split('/');
      const event = index.events().find((e) => Number(e.eventId.split('.')[3]) === Number(etn));
      if (!event) {
        faults.push(`${key} has no event`);
        continue;
      }
      const machine = evaluateZone(event, code, now);
      if (machine.isActive !== (alive(said, now) && event.withdrawnAt === null))
        faults.push(`${key}: machine ${machine.state}, model ${alive(said, now)}`);
      if (machine.isActive && machine.inForceUntil !== said.until) faults.push(`${key}: other end than its newest message`);
    }
    for (const event of index.events()) {
      const etn = Number(event.eventId.split('.')[3]);
      const active = evaluate(event, now).isActive;
      if (active !== (modelAlive(etn) && event.withdrawnAt === null)) faults.push(`${event.eventId}: event active ${active}`);
      if (active && (overAt(event) ?? Infinity) <= now) faults.push('overAt is in the past of an active event');
      const speaking = event.versions.filter((v) => evaluateMessage(event, v.messageId, now).state !== 'superseded');
      if (active && !speaking.some((v) => event.standingIds.includes(v.messageId))) faults.push('nothing stands for an active event');
      const ticked = (nextTransitionAt(event, now) ?? Infinity) > now;
      if (active && ticked && event.standingIds.some((id) => !evaluateMessage(event, id, now).isActive))
        faults.push('a standing message is not active');
    }
  }
}

/** Story of one event as its followers hear it. */
export function storyFaults(entries: EntryDraft[]): string[] {
  const faults: string[] = [];
  const byEvent = Map.groupBy(entries, (entry) => entry.eventId);
  for (const [eventId, story] of byEvent) {
    let active: boolean | null = null;
    let unconfirmed = false;
    for (const entry of story) {
      if (active === null && entry.kind !== 'issued' && entry.kind !== 'backfilled') faults.push(`${eventId} begins with ${entry.kind}`);
      if (OVER_KINDS.has(entry.kind)) {
        if (active === false) faults.push(`${eventId} ended twice: ${story.map((e) => e.kind).join(' ')}`);
        if (entry.isActive) faults.push(`${eventId} ${entry.kind} and still active`);
      } else if (active === true && !entry.isActive) faults.push(`${eventId} stopped being active by ${entry.kind}`);
      if (entry.kind === 'unconfirmed' && unconfirmed) faults.push(`${eventId} unconfirmed twice`);
      if (entry.kind === 'reconfirmed' && !unconfirmed && active !== false) faults.push(`${eventId} reconfirmed without being unconfirmed`);
      if (entry.kind === 'unconfirmed') unconfirmed = true;
      else if (entry.kind === 'reconfirmed' || entry.event.told.unconfirmed === false) unconfirmed = false;
      active = entry.isActive;
    }
  }
  return faults;
}

/** Whole histories and what was wrong with them; counts show that the interesting things happened at all. */
export interface Tally {
  faults: string[];
  ends: number;
  absences: number;
}

/** Plays `runs` random histories to their end. */
export function playMany(runs: number): Tally {
  const tally: Tally = { faults: [], ends: 0, absences: 0 };
  fc.assert(
    fc.property(history, (steps) => {
      const run = play(steps, false);
      const late = run.now + 1000 * HOUR;
      const closed = run.index.events().filter((event) => event.zones.every((zone) => zone.until !== null || zone.over));
      for (const event of run.index.events()) run.entries.push(...tick(event, late).entries);
      tally.ends += run.entries.filter((entry) => OVER_KINDS.has(entry.kind)).length;
      tally.absences += run.entries.filter((entry) => entry.kind === 'unconfirmed').length;
      const faults = [...run.faults, ...storyFaults(run.entries)];
      if (closed.some((event) => !tick(event, late).event.told.ended)) faults.push('an event with a known end never ended');
      if (faults.length > 0) throw new Error(faults.join('; '));
    }),
    { numRuns: runs },
  );
  return tally;
}

/** Plays histories twice with the pages of every batch turned round; both must tell the same story. */
export function playBothWays(runs: number): void {
  const story = (run: Run) => run.entries.map((e) => `${e.eventId} ${e.kind} ${e.messageId}`).join('\n');
  const zones = (run: Run) => JSON.stringify(run.index.events().map((e) => e.zones));
  fc.assert(
    fc.property(history, (steps) => {
      const [a, b] = [play(steps, false), play(steps, true)];
      return zones(a) === zones(b) && story(a) === story(b);
    }),
    { numRuns: runs },
  );
}
