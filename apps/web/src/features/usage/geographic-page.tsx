import type { UsageGeographic } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Lightbulb } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { chartOf } from './chart-state.ts';
import { geoInsights } from './geo-insights.ts';
import { PanelBody } from './panel-body.tsx';
import { PeriodBar } from './period-bar.tsx';
import { geographicOf } from './queries.ts';
import { type FigureOf, requestsAt } from './requests-link.ts';
import { bars, ring } from './usage-charts.ts';
import { percents } from './usage-words.ts';
import { useUsageSearch } from './use-usage-search.ts';

/** GEO-01 */
const TOP = 10;
const RING = 5;
const count = (value: number): string => value.toLocaleString('en-US');
type Country = UsageGeographic['country_stats'][number];
type City = UsageGeographic['city_stats'][number];
const cityName = ({ city, country_code: code }: City): string => `${city}, ${code}`;

/** Where requests come from. */
export default function GeographicPage() {
  const services = useServices();
  const navigate = useNavigate();
  const { search, change } = useUsageSearch();
  const places = useQuery(geographicOf(services, search));
  const { data } = places;
  const countries = data?.country_stats ?? [];
  const top = countries.slice(0, TOP);
  const rest = countries.slice(RING).reduce((sum, { requests }) => sum + requests, 0);
  const parts = countries.slice(0, RING).map(({ country, requests }) => ({ label: country, value: requests }));
  const shared = { ...chartOf(places), empty: 'No geographic data' } as const;
  const known = countries.filter(({ country_code: code }) => code !== 'ZZ').length;
  return (
    <Page>
      <PeriodBar {...{ search, change }} asked={[places]} period={data?.analysis_period} />
      <section aria-label="Overview" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
        <StatCard label="Total Requests" value={data?.total_requests ?? null} loading={places.isPending} />
        <StatCard label="Countries" value={data ? known : null} note="without Unknown" loading={places.isPending} />
        <StatCard label="Cities" value={data?.city_stats.length ?? null} note="at most 50 are listed" loading={places.isPending} />
        <StatCard
          label="Located"
          value={data?.located_percent === null || data === undefined ? null : percents(data.located_percent)}
          note="requests whose country is known"
          loading={places.isPending}
        />
      </section>
      <div className="grid gap-4 pane:grid-cols-3">
        <ChartPanel
          title="Top 10 countries"
          note="By requests"
          spec={
            data
              ? bars(
                  'Country',
                  'Requests',
                  top.map(({ country, requests }) => ({ label: country, value: requests })),
                )
              : null
          }
          onPick={(at) => {
            const row = top[at];
            if (row) void navigate(requestsAt({ country: row.country_code }, search));
          }}
          {...shared}
        />
        <ChartPanel
          title="Top 10 cities"
          note="Requests without a city are left out"
          spec={
            data
              ? bars(
                  'City',
                  'Requests',
                  data.city_stats.slice(0, TOP).map((city) => ({ label: cityName(city), value: city.requests })),
                )
              : null
          }
          {...shared}
        />
        <ChartPanel
          title="Top 5 countries"
          note="Share of all requests"
          spec={data ? ring('Country', 'Requests', rest > 0 ? [...parts, { label: 'All others', value: rest }] : parts) : null}
          height={200}
          {...shared}
        />
      </div>
      <Panel title="Insights">
        <PanelBody
          query={places}
          label="the insights"
          empty={data?.total_requests === 0 ? 'No request was recorded in this period.' : null}
        >
          <ul className="flex flex-col gap-2">
            {(data ? geoInsights(data) : []).map((words) => (
              <li key={words} className="flex items-start gap-2">
                <Lightbulb size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
                <span className="min-w-0 break-words">{words}</span>
              </li>
            ))}
          </ul>
        </PanelBody>
      </Panel>
      <div className="grid items-start gap-4 pane:grid-cols-2">
        <Panel flush title="Countries in detail">
          <PanelBody query={places} label="the countries">
            <CountryTable rows={countries} of={search} />
          </PanelBody>
        </Panel>
        <Panel flush title="Top cities">
          <PanelBody query={places} label="the cities">
            <CityTable rows={data?.city_stats ?? []} />
          </PanelBody>
        </Panel>
      </div>
      {data?.attribution ? (
        <p className="text-[13px] text-muted">
          Places:{' '}
          {data.attribution_url ? (
            <a href={data.attribution_url} className="underline" rel="noreferrer">
              {data.attribution}
            </a>
          ) : (
            data.attribution
          )}
        </p>
      ) : null}
    </Page>
  );
}

const nothing = <p className="px-4 py-8 text-center text-muted">No geographic data</p>;

const countryColumns = (of: FigureOf): Column<Country>[] => [
  {
    id: 'country',
    header: 'Country',
    cell: ({ country, country_code: code }) => (
      <Link {...requestsAt({ country: code }, of)} className="font-medium hover:text-accent hover:underline">
        {country} {code === 'ZZ' ? null : <span className="text-[13px] font-normal text-muted">{code}</span>}
      </Link>
    ),
  },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.requests) },
  { id: 'share', header: 'Share', numeric: true, cell: (row) => percents(row.percent) },
  { id: 'ips', header: 'Unique IPs', numeric: true, cell: (row) => count(row.unique_ips) },
];
const CITY_COLUMNS: Column<City>[] = [
  { id: 'city', header: 'City', cell: (row) => <span className="font-medium">{row.city}</span> },
  { id: 'region', header: 'Region', wideOnly: true, cell: (row) => row.region ?? '—' },
  { id: 'country', header: 'Country', cell: (row) => row.country_code },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.requests) },
  { id: 'share', header: 'Share', numeric: true, cell: (row) => percents(row.percent) },
];

/** GEO-02 */
const CountryTable = ({ rows, of }: { rows: readonly Country[]; of: FigureOf }) => (
  <DataTable label="Countries" columns={countryColumns(of)} rows={rows} rowId={({ country_code: code }) => code} empty={nothing} />
);

const CityTable = ({ rows }: { rows: readonly City[] }) => (
  <DataTable
    label="Cities"
    columns={CITY_COLUMNS}
    rows={rows}
    rowId={(row) => `${row.city} ${row.region ?? ''} ${row.country_code}`}
    empty={nothing}
  />
);
