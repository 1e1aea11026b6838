import { useQuery } from '@tanstack/react-query';
import { ExternalLink, LocateFixed } from 'lucide-react';
import type { AlertDetail, SlimAlert } from '@nwms/contract';
import { memo, useDeferredValue, useMemo } from 'react';
import { sentenceOf } from '../../../api/errors.ts';
import { useServices } from '../../../api/services.ts';
import { useFreshness } from '../../../api/use-freshness.ts';
import { durationLabel } from '../../../lib/time-labels.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SeverityBadge } from '../../../ui/severity.tsx';
import { StateBadge } from '../../../ui/state-badge.tsx';
import { isSimulated, Tag } from '../alert-columns.tsx';
import { stateWords, timingSentence } from '../alert-words.ts';
import { detailQuery } from '../queries.ts';
import { CopyButtons } from './copy-buttons.tsx';
import { Impact, Meaning, Moment, Timing } from './facts.tsx';
import { History } from './history.tsx';
import { Inset } from './inset.tsx';
import { Section } from './section.tsx';
import { sourceLink } from './source-link.ts';
import { Texts } from './texts.tsx';
import { vtecSentence } from './vtec-words.ts';

export interface AlertDetailsProps {
  /** Of an event or of one of its messages; undefined: closed. */
  id: string | undefined;
  /** What the page knows already; the texts follow. */
  row: SlimAlert | undefined;
  onClose: () => void;
  /** Another message or event, in the same popup. */
  onOpen: (id: string) => void;
  /** Undefined: there is no map, or no shape. */
  onLocate: (() => void) | undefined;
  /** Address of this popup, for others. */
  link: string;
}

const NOTHING = { id: undefined, texts: undefined };

/**
 * Everything there is of one alert, in the issuer's own words and in plain ones. Its first frame has what it is and how long it holds; the rest
 * follows in slices, so that the window is there before all of its words are.
 */
export function AlertDetails(props: AlertDetailsProps) {
  const { id, row, onClose } = props;
  const { api } = useServices();
  const detail = useQuery(detailQuery(api, id));
  const alert = row ?? detail.data;
  // Both in one value, so that texts never stand under another alert's name.
  const known = useMemo(() => ({ id, texts: detail.data }), [id, detail.data]);
  const shown = useDeferredValue<typeof known>(known, NOTHING);
  const filled = shown.id === id;
  return (
    <Dialog
      open={id !== undefined}
      onClose={onClose}
      size="large"
      fullOnPhone
      title={alert?.event ?? 'Alert'}
      footer={
        <>
          <p className="tnum grow self-center text-[13px] text-muted">
            Last updated: <Moment iso={alert?.updated_at ?? null} zone={alert?.time_zones[0]} />
          </p>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {alert ? (
        <article aria-label={`${alert.event}, ${alert.area_desc}`} aria-busy={!filled} className="flex flex-col gap-4">
          <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between">
            <div className="flex min-w-0 flex-col gap-2.5">
              <Standing alert={alert} />
              {alert.headline ? <p className="font-semibold break-words">{alert.headline}</p> : null}
              <p className="break-words text-muted">{alert.area_desc}</p>
            </div>
            {filled && shown.texts ? <Inset detail={shown.texts} /> : detail.error ? null : <InsetPlace />}
          </div>
          {filled ? (
            <Content
              alert={alert}
              detail={shown.texts}
              error={detail.error}
              retry={detail.refetch}
              onOpen={props.onOpen}
              onLocate={props.onLocate}
              link={props.link}
            />
          ) : (
            <Skeleton />
          )}
        </article>
      ) : detail.error ? (
        <Failure error={detail.error} retry={() => void detail.refetch()} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  );
}

interface ContentProps extends Pick<AlertDetailsProps, 'onOpen' | 'onLocate' | 'link'> {
  alert: SlimAlert;
  detail: AlertDetail | undefined;
  error: Error | null;
  retry: () => unknown;
}

/** What is below the first lines. */
const Content = memo(function Content(props: ContentProps) {
  const { alert, detail, error, retry } = props;
  return (
    <>
      <Impact alert={alert} />
      {detail ? <Texts detail={detail} /> : error ? <Failure error={error} retry={() => void retry()} /> : <Skeleton />}
      <Meaning alert={alert} />
      <Timing alert={alert} />
      {detail ? <History detail={detail} onOpen={props.onOpen} /> : null}
      <Origin {...props} />
    </>
  );
});

/** Badges, the sentence about its times, and how sure the page is of it. */
function Standing({ alert }: { alert: SlimAlert }) {
  const { labels } = useServices();
  const now = useNow(15);
  const state = stateWords(alert);
  const words = timingSentence(alert, labels, now);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SeverityBadge severity={alert.severity} />
        <StateBadge word={state.word} />
        {isSimulated(alert) ? <Tag>Simulated</Tag> : null}
        {alert.test_suspected ? <Tag>Says test</Tag> : null}
        <span className="tnum text-[13px] text-muted">
          revision {alert.version} of {alert.versions}
        </span>
      </div>
      <p>
        {words.lead}
        <strong className="font-semibold">{words.strong}</strong>
        {words.tail}
      </p>
      <Doubt />
    </>
  );
}

/** Old data is said to be old here too: the page's own line is behind the popup. */
function Doubt() {
  const { labels } = useServices();
  const { level, asOfMs, heard } = useFreshness();
  if (level === 'fresh' || !heard) return null;
  const asOf = asOfMs === null ? 'an unknown time' : labels.utcClock(asOfMs);
  return (
    <p className={`font-medium ${level === 'stale' ? 'text-warn' : 'text-bad'}`}>
      {level === 'stale' ? `Not up to date: as of ${asOf}.` : `We cannot tell right now: last good data from ${asOf}.`}
    </p>
  );
}

/** Who issued it, its codes, its id, and ways to take it along. */
function Origin({ alert, detail, onLocate, link }: ContentProps) {
  const source = sourceLink(alert.source_url);
  return (
    <Section title="Source">
      <div className="flex flex-col gap-2 text-sm">
        <p className="text-muted">
          Issued by {alert.sender_name}, <Moment iso={alert.sent} zone={alert.time_zones[0]} />
          {alert.seen_delay_seconds === null ? '' : `; here ${durationLabel(alert.seen_delay_seconds)} later`}.
        </p>
        {detail?.vtec.map((vtec) => (
          <p key={vtec.raw}>
            {vtecSentence(vtec)} <code className="text-xs break-all text-muted">{vtec.raw}</code>
          </p>
        ))}
        <p className="break-all">
          <span className="text-muted">Alert ID: </span>
          {source ? (
            <a href={source} target="_blank" rel="noopener noreferrer" className="font-medium text-accent underline">
              {alert.id} <ExternalLink size={13} className="inline" aria-label="at the National Weather Service, in a new tab" />
            </a>
          ) : (
            <span>{alert.id}</span>
          )}
        </p>
        <div className="flex flex-wrap gap-2 pt-1">
          {onLocate ? (
            <Button onClick={onLocate}>
              <LocateFixed size={15} aria-hidden="true" /> Show on map
            </Button>
          ) : null}
          <CopyButtons id={alert.id} link={link} />
        </div>
      </div>
    </Section>
  );
}

function Failure({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 text-bad">
      <p>The alert could not be loaded: {sentenceOf(error)} For warnings go to weather.gov or a NOAA weather radio.</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}

/** As large as the picture of the area. */
const InsetPlace = () => <div aria-hidden="true" className="skeleton mb-5 aspect-[8/5] w-full max-w-md sm:w-72 sm:shrink-0" />;

function Skeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-2">
      {['w-1/2', 'w-full', 'w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
        <div key={width} className={`skeleton h-4 ${width}`} />
      ))}
    </div>
  );
}
