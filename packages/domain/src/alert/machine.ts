/** The one state machine of alerts: messages, the clock and absence change an event only through these functions. */
export { type Applied, type ApplyContext, applyMessage } from './apply-message.ts';
export { channelsOf, isCountable } from './channels.ts';
export { type Evaluation, evaluate, evaluateMessage, evaluateZone, overAt } from './evaluate.ts';
export type { EventIndex, MemoryIndex } from './event-index.ts';
export { CODELESS_ZONE, isTerminal, orderForApply, terminalOf, windowOf } from './in-force.ts';
export { createMemoryIndex, upstreamIdOf } from './memory-index.ts';
export { type AcceptedPoll, applyPresence, locate, UNCONFIRMED_AFTER_POLLS } from './presence.ts';
export { nextTransitionAt, type Stepped, tick, WITHDRAW_AFTER_MS } from './tick.ts';
