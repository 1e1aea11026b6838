import { useNavigate, useSearch } from '@tanstack/react-router';
import { isOld, viewOf } from '../../api/query-view.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { ErrorCard } from '../../ui/states.tsx';
import { AdviceList, silentWords } from './advice-panel.tsx';
import { CoverageLine, OldNote, PanelState } from './evidence.tsx';
import { missingWords } from './evidence-words.ts';
import { FatigueAreas } from './fatigue-panel.tsx';
import { FigureCards } from './figure-cards.tsx';
import { FrequencyFacts } from './frequency-panel.tsx';
import { type IntelligenceSearch, PATTERN_DAYS, readIntelligenceSearch } from './intelligence-search.ts';
import { MlPanel } from './ml-panel.tsx';
import { PredictionFacts } from './prediction-panel.tsx';
import { SeasonRows } from './season-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import {
  changesChart,
  hotspotChart,
  hoursChart,
  monthsChart,
  seasonEventChart,
  severityChart,
  weekChart,
  yearChart,
} from './trend-charts.ts';
import { type Intelligence, markOf, useIntelligence } from './use-intelligence.ts';

const NO_COVERAGE = 'Our record covers none of this time yet.';

/** What the stored alerts show: changes of severity, patterns, fatigue. Every figure says what it rests on. */
export default function IntelligencePage() {
  const navigate = useNavigate();
  const search = readIntelligenceSearch(useSearch({ strict: false }));
  const change = (next: IntelligenceSearch) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const asked = useIntelligence(search);
  const all = Object.values(asked);
  const refresh = () => all.forEach((each) => void each.refetch());
  const busy = all.some((each) => each.isFetching);
  const first = viewOf(asked.trends);
  // INTL-07: only when nothing at all can be shown.
  const failed = [first, viewOf(asked.fatigue), viewOf(asked.patterns)].every(({ is }) => is === 'failed');
  return (
    <Page>
      <Toolbar {...{ search, change, refresh, busy }} />
      {failed && first.is === 'failed' ? (
        <ErrorCard message={first.message} requestId={first.requestId} onRetry={refresh} busy={busy} />
      ) : (
        <Panels asked={asked} days={search.days ?? 7} />
      )}
      <MlPanel open={search.panel === 'ml'} toggle={() => change({ panel: search.panel === 'ml' ? undefined : 'ml' })} />
    </Page>
  );
}

function Panels({ asked, days }: { asked: Intelligence; days: number }) {
  const { trends, fatigue, patterns } = asked;
  const known = patterns.data;
  const loading = trends.isPending || fatigue.isPending;
  return (
    <>
      <OldNote of={trends} what="The trends" />
      <OldNote of={fatigue} what="The fatigue analysis" />
      <OldNote of={patterns} what="The patterns" />
      <FigureCards trends={trends.data} fatigue={fatigue.data} loading={loading} dimmed={isOld(trends) || trends.isPlaceholderData} />
      <div className="grid gap-4 pane:grid-cols-2">
        <ChartPanel
          title="Changes over time"
          note={trends.data ? <CoverageLine coverage={trends.data.coverage} /> : `Last ${days} days`}
          spec={trends.data ? changesChart(trends.data) : null}
          state={viewOf(trends)}
          mark={markOf(trends.data?.source)}
          dimmed={trends.isPlaceholderData}
          empty={NO_COVERAGE}
        />
        <Panel title="Alert fatigue analysis" note={fatigue.data ? <CoverageLine coverage={fatigue.data.coverage} /> : null}>
          <PanelState view={viewOf(fatigue)} label="the fatigue analysis" />
          {fatigue.data ? <FatigueAreas fatigue={fatigue.data} /> : null}
        </Panel>
        <ChartPanel
          title="Geographic hotspots"
          note={`Share of covered days with an event in force, last ${PATTERN_DAYS} days`}
          spec={known ? hotspotChart(known.patterns.geographic_hotspots) : null}
          state={viewOf(patterns)}
          mark={markOf(known?.source)}
          height={300}
          empty={(known && missingWords(known.insufficient, 'patterns.geographic_hotspots')) ?? 'No area had two or more events.'}
        />
        <Panel title="Seasonal patterns" note={`Events that began in the last ${PATTERN_DAYS} days; severity from Minor 1 to Extreme 4`}>
          <PanelState view={viewOf(patterns)} label="the seasons" />
          {known ? <SeasonRows patterns={known} /> : null}
        </Panel>
        <ChartPanel
          title="Frequency analysis"
          note="Events per covered day, by month of the whole record"
          spec={known ? monthsChart(known.patterns.frequency_analysis.by_month) : null}
          state={viewOf(patterns)}
          mark={markOf(known?.source)}
          height={180}
          empty={NO_COVERAGE}
        >
          {known ? (
            <div className="pt-4">
              <FrequencyFacts patterns={known} />
            </div>
          ) : null}
        </ChartPanel>
        <Panel title="Predictive insights" note="Fixed rules over the whole record">
          <PanelState view={viewOf(patterns)} label="the insights" />
          {known ? <PredictionFacts patterns={known} /> : null}
          {known && known.recommendation_details.length > 0 ? (
            <div className="pt-3">
              <AdviceList items={known.recommendation_details} none="" />
            </div>
          ) : null}
        </Panel>
        <RhythmPanels asked={asked} days={days} />
        <Recommendations asked={asked} />
      </div>
    </>
  );
}

/** When events begin: by hour, weekday, season and day of the year. */
function RhythmPanels({ asked, days }: { asked: Intelligence; days: number }) {
  const { fatigue, week, seasons, year } = asked;
  return (
    <>
      <ChartPanel
        title="Hour and weekday"
        note="Events begun by local time, whole record"
        spec={week.data ? weekChart(week.data) : null}
        state={viewOf(week)}
        mark={markOf(week.data?.source)}
        height={230}
        empty={NO_COVERAGE}
      />
      <ChartPanel
        title="Season and event"
        note="The ten most frequent events, whole record"
        spec={seasons.data ? seasonEventChart(seasons.data) : null}
        state={viewOf(seasons)}
        mark={markOf(seasons.data?.source)}
        height={250}
        empty="No event has begun on the days of our record."
      />
      <div className="pane:col-span-2">
        <ChartPanel
          title="A year of days"
          note={year.data ? <CoverageLine coverage={year.data.coverage} /> : 'Events begun per day (UTC)'}
          spec={year.data ? yearChart(year.data) : null}
          state={viewOf(year)}
          mark={markOf(year.data?.source)}
          height={170}
          empty={NO_COVERAGE}
        />
      </div>
      <ChartPanel
        title="Begins by hour"
        note={`Local hour, last ${days} days`}
        spec={fatigue.data ? hoursChart(fatigue.data) : null}
        state={viewOf(fatigue)}
        mark={markOf(fatigue.data?.source)}
        height={200}
        empty={NO_COVERAGE}
      />
      <ChartPanel
        title="Severity of new events"
        note={`Last ${days} days`}
        spec={fatigue.data ? severityChart(fatigue.data) : null}
        state={viewOf(fatigue)}
        mark={markOf(fatigue.data?.source)}
        height={200}
        empty={NO_COVERAGE}
      />
    </>
  );
}

function Recommendations({ asked: { trends, fatigue, advice } }: { asked: Intelligence }) {
  const items = [
    ...(trends.data?.recommendation_details ?? []),
    ...(fatigue.data?.recommendation_details ?? []),
    ...(advice.data?.recommendations ?? []),
  ];
  const silent = advice.data ? silentWords(advice.data) : null;
  return (
    <div className="pane:col-span-2">
      <Panel title="System recommendations" note="Fixed rules over measured numbers">
        <PanelState view={viewOf(advice)} label="the recommendations" />
        {advice.data ? <AdviceList items={items} none="No rule found anything to recommend." /> : null}
        {silent ? <p className="pt-2 text-[13px] text-muted">{silent}</p> : null}
      </Panel>
    </div>
  );
}
