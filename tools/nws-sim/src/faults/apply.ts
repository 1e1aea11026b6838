import type { Feed, RawFeature } from '../feature.ts';
import type { Context } from '../http/context.ts';
import { forbiddenHtml, problem, type Reply } from '../http/reply.ts';
import { hash32 } from '../random.ts';
import type { Fault, FaultPlan, FaultStep } from './plan.ts';

/** Finds the step of each request; counts requests and keeps when a step was first met. One per plan in force. */
export interface FaultClock {
  next(path: string, now: number): { fault: Fault; since: number } | null;
}

export function createFaultClock(plan: FaultPlan | null, setAt: number): FaultClock {
  let count = -1;
  const since = new Map<FaultStep, number>();
  return {
    next: (path, now) => {
      const steps = plan?.steps.filter((step) => path.startsWith(step.path ?? '/alerts')) ?? [];
      if (steps.length === 0) return null;
      count += 1;
      const elapsed = (now - setAt) / 1000;
      const step = steps.find(({ during }) => ('requests' in during ? within(count, during.requests) : within(elapsed, during.seconds)));
      if (!step) return null;
      const first = since.get(step) ?? now;
      since.set(step, first);
      return { fault: step.fault, since: first };
    },
  };
}

function within(value: number, [from, to]: [number, number]): boolean {
  return value >= from && value < to;
}

/** The request as a faulty service would see it: another instant, a thinner feed, overlapping pages. */
export function bendContext(context: Context, fault: Fault, since: number): Context {
  switch (fault.kind) {
    case 'frozen':
      return { ...context, now: since };
    case 'older':
      return { ...context, now: context.now - fault.ageSeconds * 1000 };
    case 'empty':
      return { ...context, feed: thinned(context.feed, () => false) };
    case 'shrink':
      return { ...context, feed: thinned(context.feed, ({ properties }) => hash32(properties.id) / 4294967296 >= fault.share) };
    case 'duplicate-page':
      return { ...context, pageOverlap: fault.overlap };
    default:
      return context;
  }
}

function thinned(feed: Feed, keeps: (feature: RawFeature) => boolean): Feed {
  return {
    ...feed,
    activeAt: (now) => {
      const snapshot = feed.activeAt(now);
      return { ...snapshot, features: snapshot.features.filter(keeps) };
    },
    issuedBetween: (from, to) => feed.issuedBetween(from, to).filter(keeps),
  };
}

/** Answers that replace the service's own; null when the fault leaves it be. */
export function replaceReply(context: Context, fault: Fault): Reply | null {
  switch (fault.kind) {
    case 'status':
      if (!fault.html) return problem(fault.status, 'Unexpected Problem', 'An unexpected problem has occurred.', context.correlationId);
      return { status: fault.status, headers: { 'content-type': 'text/html' }, body: page(`${fault.status} error`) };
    case 'too-many':
      return {
        ...problem(429, 'Too Many Requests', 'Rate limit exceeded', context.correlationId),
        headers: { 'content-type': 'application/problem+json', 'retry-after': String(fault.retryAfterSeconds) },
      };
    case 'forbidden':
      return forbiddenHtml(context.correlationId);
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: page('Scheduled maintenance') };
    default:
      return null;
  }
}

function page(words: string): string {
  return `<!DOCTYPE html><html><head><title>${words}</title></head><body><h1>${words}</h1></body></html>`;
}

interface Collection {
  features?: unknown[];
  pagination?: { next?: string };
}

/** Changes to a good JSON answer: order, pages, half of the text. */
export function bendReply(context: Context, reply: Reply, fault: Fault): Reply {
  if (reply.status !== 200 || typeof reply.body !== 'string') return reply;
  if (fault.kind === 'truncated')
    return { ...reply, body: Buffer.from(reply.body).subarray(0, Math.floor(Buffer.byteLength(reply.body) / 2)) };
  if (!['reordered', 'looping-cursor', 'next-on-empty', 'foreign-next'].includes(fault.kind) || !reply.body.startsWith('{')) return reply;
  const body = JSON.parse(reply.body) as Collection;
  if (!Array.isArray(body.features)) return reply;
  const search = context.query.toString();
  const self = `${context.baseUrl}${context.path}${search ? `?${search}` : ''}`;
  if (fault.kind === 'reordered')
    body.features = body.features
      .map((feature, index) => ({ feature, rank: hash32(index, context.correlationId) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ feature }) => feature);
  if (fault.kind === 'looping-cursor') body.pagination = { next: self };
  if (fault.kind === 'next-on-empty') Object.assign(body, { features: [], pagination: { next: body.pagination?.next ?? self } });
  if (fault.kind === 'foreign-next') body.pagination = { next: 'https://elsewhere.invalid/alerts?cursor=eyJzIjo1MDB9' };
  return { ...reply, body: JSON.stringify(body) };
}
