import { inWords, percentInWords, percentOf } from './rates.ts';

/** What the rules look at, over the asked window. */
export interface AdviceFacts {
  totalRequests: number;
  botRequests: number;
  dailyGrowthRate: number | null;
  endpoints: readonly {
    endpoint: string;
    method: string;
    requests: number;
    averageMs: number | null;
    errorPercent: number;
    /** Answers to GETs with a key that could have been 304, and those that were. */
    keyGets: number;
    keyNotModified: number;
  }[];
  /** Callers that asked one URL faster than every 30 s for an hour; null = not looked at. */
  pollers: readonly { caller: string; endpoint: string; requests: number }[] | null;
  /** Accounts and their refused requests; null = not known here. */
  refusals: readonly { account: string; requests: number; refused: number }[] | null;
  /** Keys unused for 90 days, or without an end for a year; null = not known here. */
  idleKeys: number | null;
}

export interface Advice {
  id: string;
  priority: 'high' | 'medium' | 'low';
  category: 'performance' | 'reliability' | 'efficiency' | 'capacity' | 'limits' | 'security' | 'traffic';
  title: string;
  description: string;
  impact: string;
  evidence: Record<string, number | string>;
}

type Ranked = Advice & { affected: number };

const MIN_REQUESTS = 50;
const AT_MOST = 10;
const PRIORITIES = ['high', 'medium', 'low'];
const nameOf = ({ method, endpoint }: { method: string; endpoint: string }) => `${method} ${endpoint}`;

/** At most ten, by priority, then by the requests concerned. No rule holds: none. */
export function adviceFor(facts: AdviceFacts): Advice[] {
  const all = [...slowEndpoints(facts), ...failingEndpoints(facts), ...withoutValidators(facts), ...fastPollers(facts), ...general(facts)];
  all.sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || b.affected - a.affected || (a.id < b.id ? -1 : 1));
  return all.slice(0, AT_MOST).map(({ affected: _affected, ...advice }) => advice);
}

function slowEndpoints({ endpoints }: AdviceFacts): Ranked[] {
  return endpoints.flatMap((one) => {
    const { averageMs, requests } = one;
    if (averageMs === null || averageMs <= 500 || requests < MIN_REQUESTS) return [];
    return {
      id: `slow_endpoint:${nameOf(one)}`,
      priority: averageMs > 1_000 ? 'high' : 'medium',
      category: 'performance',
      title: `${nameOf(one)} is slow`,
      description: `Its ${inWords(requests)} answers took ${inWords(averageMs)} ms on average.`,
      impact: `${inWords(requests)} requests waited for it.`,
      evidence: { endpoint: nameOf(one), avg_response_time_ms: averageMs, requests },
      affected: requests,
    } as const;
  });
}

function failingEndpoints({ endpoints }: AdviceFacts): Ranked[] {
  return endpoints.flatMap((one) => {
    const { errorPercent, requests } = one;
    if (errorPercent <= 5 || requests < MIN_REQUESTS) return [];
    const failed = Math.round((errorPercent * requests) / 100);
    return {
      id: `failing_endpoint:${nameOf(one)}`,
      priority: errorPercent > 10 ? 'high' : 'medium',
      category: 'reliability',
      title: `${nameOf(one)} fails often`,
      description: `${percentInWords(errorPercent)} of its ${inWords(requests)} requests were refused or failed.`,
      impact: `${inWords(failed)} requests had no use.`,
      evidence: { endpoint: nameOf(one), error_rate_percent: errorPercent, requests },
      affected: failed,
    } as const;
  });
}

function withoutValidators({ endpoints }: AdviceFacts): Ranked[] {
  return endpoints.flatMap((one) => {
    const share = percentOf(one.keyNotModified, one.keyGets) ?? 100;
    if (one.keyGets < 500 || share >= 20) return [];
    return {
      id: `use_etag:${nameOf(one)}`,
      priority: 'medium',
      category: 'efficiency',
      title: `Callers of ${nameOf(one)} load it again and again`,
      description: `Only ${percentInWords(share)} of ${inWords(one.keyGets)} requests with a key were answered "not modified". Clients that send If-None-Match cost nothing while nothing changed.`,
      impact: `Up to ${inWords(one.keyGets - one.keyNotModified)} answers could have been empty.`,
      evidence: { endpoint: nameOf(one), not_modified_percent: share, requests: one.keyGets },
      affected: one.keyGets,
    } as const;
  });
}

function fastPollers({ pollers }: AdviceFacts): Ranked[] {
  return (pollers ?? []).map(({ caller, endpoint, requests }): Ranked => ({
    id: `fast_poller:${caller}:${endpoint}`,
    priority: 'low',
    category: 'efficiency',
    title: `${caller} polls ${endpoint}`,
    description: `It asked ${inWords(requests)} times in one hour, more often than every 30 s. The live feed tells of changes at once.`,
    impact: `${inWords(requests)} requests an hour could be one connection.`,
    evidence: { caller, endpoint, requests_per_hour: requests },
    affected: requests,
  }));
}

function general({ totalRequests, botRequests, dailyGrowthRate, refusals, idleKeys }: AdviceFacts): Ranked[] {
  const advice: Ranked[] = [];
  if (dailyGrowthRate !== null && dailyGrowthRate > 5)
    advice.push({
      id: 'growing_traffic',
      priority: 'medium',
      category: 'capacity',
      title: 'Traffic grows fast',
      description: `Requests grow by ${percentInWords(dailyGrowthRate)} a day.`,
      impact: `At this rate they double in ${Math.ceil(Math.LN2 / Math.log1p(dailyGrowthRate / 100))} days.`,
      evidence: { daily_growth_rate: dailyGrowthRate },
      affected: totalRequests,
    });
  for (const { account, requests, refused } of refusals ?? []) {
    const share = percentOf(refused, requests) ?? 0;
    if (share <= 5) continue;
    advice.push({
      id: `refused_account:${account}`,
      priority: 'medium',
      category: 'limits',
      title: `${account} runs into its limits`,
      description: `${percentInWords(share)} of its ${inWords(requests)} requests were refused for their number.`,
      impact: `${inWords(refused)} requests were refused.`,
      evidence: { account, refused, requests, refused_percent: share },
      affected: refused,
    });
  }
  if (idleKeys !== null && idleKeys > 0)
    advice.push({
      id: 'idle_keys',
      priority: 'low',
      category: 'security',
      title: 'Keys that nobody uses',
      description:
        idleKeys === 1
          ? 'One key was unused for 90 days or has no end.'
          : `${inWords(idleKeys)} keys were unused for 90 days or have no end.`,
      impact: 'Each is a way in that nobody would miss.',
      evidence: { keys: idleKeys },
      affected: 0,
    });
  const bots = percentOf(botRequests, totalRequests) ?? 0;
  if (bots > 50)
    advice.push({
      id: 'mostly_bots',
      priority: 'low',
      category: 'traffic',
      title: 'Most requests come from crawlers',
      description: `${percentInWords(bots)} of ${inWords(totalRequests)} requests.`,
      impact: 'Figures about people are small beside them.',
      evidence: { bot_percent: bots, requests: totalRequests },
      affected: botRequests,
    });
  return advice;
}
