import { seededRandom } from '../random.ts';

/** What goes wrong. Plain JSON, so that a plan can be stored beside a failing run and played again. */
export type Fault =
  /** A server error; HTML from a proxy or problem+json from the service. */
  | { kind: 'status'; status: 500 | 502 | 503 | 504; html: boolean }
  /** 429 with Retry-After in seconds. */
  | { kind: 'too-many'; retryAfterSeconds: number }
  /** 403 HTML of the content network. */
  | { kind: 'forbidden' }
  /** No answer until the client gives up. */
  | { kind: 'hang' }
  /** Connection reset after half of the body. */
  | { kind: 'reset' }
  /** 200 and a complete HTTP message whose JSON stops half-way. */
  | { kind: 'truncated' }
  /** 200 with an HTML page. */
  | { kind: 'html' }
  /** 200 with a well-formed collection of nothing. */
  | { kind: 'empty' }
  /** gzip announced, stream cut before its end. */
  | { kind: 'cut-gzip' }
  /** The state of the moment the step began, with its stale `updated`. */
  | { kind: 'frozen' }
  /** The state of some time ago: a stale node of the content network. */
  | { kind: 'older'; ageSeconds: number }
  /** Leaves out this share (0 to 1) of the messages. */
  | { kind: 'shrink'; share: number }
  /** `/alerts` pages start with the last messages of the page before. */
  | { kind: 'duplicate-page'; overlap: number }
  /** `pagination.next` leads to the same page again. */
  | { kind: 'looping-cursor' }
  /** An empty page that still has a `pagination.next`. */
  | { kind: 'next-on-empty' }
  /** `pagination.next` on another origin. */
  | { kind: 'foreign-next' }
  /** Features in a shuffled order. */
  | { kind: 'reordered' }
  /** Date and Last-Modified wrong by this many seconds. */
  | { kind: 'clock'; offsetSeconds: number };

/** When a step holds: for matching requests by number since the plan was set (from 0, `to` exclusive), or for a time since then. */
export type Window = { requests: [from: number, to: number] } | { seconds: [from: number, to: number] };

export interface FaultStep {
  fault: Fault;
  during: Window;
  /** Only requests whose path begins so; default "/alerts". */
  path?: string;
}

/** The first step that matches a request is applied to it. */
export interface FaultPlan {
  name?: string;
  steps: FaultStep[];
}

/** Requests a random plan speaks about; after them the service is well again. */
const PLANNED_REQUESTS = 60;

/** A seeded plan over the first 60 requests under `/alerts`: bursts of one to six faulty answers, healthy gaps between them. */
export function randomFaultPlan(seed: number): FaultPlan {
  const random = seededRandom(seed, 'faults');
  const steps: FaultStep[] = [];
  let request = random.whole(0, 4);
  while (request < PLANNED_REQUESTS) {
    const length = random.whole(1, 6);
    steps.push({ fault: randomFault(seed, steps.length), during: { requests: [request, Math.min(PLANNED_REQUESTS, request + length)] } });
    request += length + random.whole(1, 6);
  }
  return { name: `random-${seed}`, steps };
}

function randomFault(seed: number, index: number): Fault {
  const random = seededRandom(seed, 'fault', index);
  const makers: [() => Fault, ...(() => Fault)[]] = [
    () => ({ kind: 'status', status: random.pick([500, 502, 503, 504] as const), html: random.chance(0.5) }),
    () => ({ kind: 'too-many', retryAfterSeconds: random.whole(1, 60) }),
    () => ({ kind: 'forbidden' }),
    () => ({ kind: 'hang' }),
    () => ({ kind: 'reset' }),
    () => ({ kind: 'truncated' }),
    () => ({ kind: 'html' }),
    () => ({ kind: 'empty' }),
    () => ({ kind: 'cut-gzip' }),
    () => ({ kind: 'frozen' }),
    () => ({ kind: 'older', ageSeconds: random.whole(60, 7200) }),
    () => ({ kind: 'shrink', share: random.whole(20, 90) / 100 }),
    () => ({ kind: 'duplicate-page', overlap: random.whole(1, 20) }),
    () => ({ kind: 'looping-cursor' }),
    () => ({ kind: 'next-on-empty' }),
    () => ({ kind: 'foreign-next' }),
    () => ({ kind: 'reordered' }),
    () => ({ kind: 'clock', offsetSeconds: random.pick([-3600, 3600] as const) }),
  ];
  return random.pick(makers)();
}
