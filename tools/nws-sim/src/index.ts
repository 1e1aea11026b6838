export type { Feed, PlaceZones, RawFeature, RawProperties, RawReference, RawZone, SimSnapshot } from './feature.ts';
export { type Fault, type FaultPlan, type FaultStep, randomFaultPlan, type Window } from './faults/plan.ts';
export { type NwsSim, type SimOptions, type SimRequest, startNwsSim } from './http/server.ts';
export { type Atlas, loadAtlas } from './places/atlas.ts';
export { createStormFeed, type StormOptions } from './storms/feed.ts';
export { createReplayFeed, type ReplayOptions } from './replay/feed.ts';
export type { Capture } from './replay/bare-feature.ts';
export { readCapture } from './replay/read-capture.ts';
export { shiftFeature } from './replay/shift.ts';
