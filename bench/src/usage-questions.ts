import { DAY_MS } from '@nwms/domain';

const day = `at / ${DAY_MS}`;
/** What the operations answer, as plain questions over the raw rows; `$1`: start of the window. */
export const USAGE_QUESTIONS: Record<string, readonly string[]> = {
  usageOverview: [
    `select count(*), count(distinct address), avg(ms), avg((status >= 400)::int) from usage.requests where at >= $1`,
    `select ${day}, count(*), count(distinct address), avg(ms) from usage.requests where at >= $1 group by 1`,
    `select endpoint, method, count(*) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 10`,
  ],
  usageEndpoints: [
    `select endpoint, method, count(*), avg(ms), percentile_disc(0.95) within group (order by ms), count(distinct address), sum(bytes), max(at) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 20`,
  ],
  usagePerformance: [
    `select avg(ms), percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ms), max(ms) from usage.requests where at >= $1`,
    `select endpoint, method, avg(ms), percentile_disc(0.95) within group (order by ms) from usage.requests where at >= $1 group by 1, 2`,
    `select (at / 3600000) % 24, avg(ms), count(*) from usage.requests where at >= $1 group by 1`,
  ],
  usageErrors: [
    `select ${day}, count(*) filter (where status >= 400), count(*) from usage.requests where at >= $1 group by 1`,
    `select status, error, count(*) from usage.requests where at >= $1 and status >= 400 group by 1, 2`,
    `select endpoint, method, count(*), avg(ms) from usage.requests where at >= $1 and status >= 400 group by 1, 2`,
  ],
  usageBusinessMetrics: [`select ${day}, sum(alerts), sum(geographic), sum(time_filtered) from usage.requests where at >= $1 group by 1`],
  usageGeographic: [
    `select country, count(*), count(distinct address) from usage.requests where at >= $1 group by 1`,
    `select city, country, count(*) from usage.requests where at >= $1 group by 1, 2 order by 3 desc limit 50`,
  ],
  usageUserAgents: [
    `select device, count(*) from usage.requests where at >= $1 group by 1`,
    `select browser, os, agent, count(*) from usage.requests where at >= $1 group by 1, 2, 3`,
  ],
  usageUsersOverview: [
    `select count(distinct visitor), sum((gap is null or gap >= 1800000)::int), sum(gap) filter (where gap < 1800000)
      from (select visitor, at - lag(at) over (partition by visitor order by at) as gap from usage.requests where at >= $1) g`,
    `select device, count(*) from (select visitor, mode() within group (order by device) as device from usage.requests where at >= $1 group by 1) v group by 1`,
  ],
  usageUsersDetailed: [
    `select visitor, count(*), mode() within group (order by browser), mode() within group (order by endpoint), avg(ms), min(at), max(at)
      from usage.requests where at >= $1 group by 1 order by 2 desc limit 10`,
  ],
  usageInsights: [
    `select at / 3600000, count(*) from usage.requests where at >= $1 group by 1`,
    `select endpoint, method, count(*), avg(ms), avg((status >= 400)::int) from usage.requests where at >= $1 group by 1, 2`,
    `select count(distinct visitor) from usage.requests where at >= $1`,
  ],
};
