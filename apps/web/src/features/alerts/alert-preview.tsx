import { useQuery } from '@tanstack/react-query';
import { CodeXml, ExternalLink, LocateFixed, ScanText } from 'lucide-react';
import type { SlimAlert } from '@nwms/contract';
import { useServices } from '../../api/services.ts';
import { sentenceOf } from '../../api/errors.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SeverityBadge } from '../../ui/severity.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { isSimulated, Tag } from './alert-columns.tsx';
import { stateWords, timingSentence } from './alert-words.ts';
import { sourceLink } from './details/source-link.ts';
import { detailQuery } from './queries.ts';
import { reflowText } from './reflow-text.ts';

/** The selected alert: when it holds, what it says, what to do, in the issuer's own words. `row` shows at once, the texts follow. */
export function AlertPreview({
  eventId,
  row,
  onDetails,
  onLocate,
}: {
  eventId: string;
  row: SlimAlert | undefined;
  onDetails: (eventId: string) => void;
  onLocate: (() => void) | undefined;
}) {
  const { api } = useServices();
  const detail = useQuery(detailQuery(api, eventId));
  const alert = row ?? detail.data;
  if (!alert) {
    return <p className="p-4 text-muted">{detail.error ? sentenceOf(detail.error) : 'Loading …'}</p>;
  }
  const texts = detail.data;
  const source = sourceLink(alert.source_url);
  return (
    <article aria-label={`${alert.event}, ${alert.area_desc}`} className="flex flex-col gap-3 p-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <SeverityBadge severity={alert.severity} />
        <h2 className="min-w-0 flex-1 text-base leading-6 font-bold break-words">{alert.event}</h2>
        <span className="tnum text-[13px] text-muted">
          revision {alert.version} of {alert.versions}
        </span>
      </header>
      <Times alert={alert} />
      <p className="text-[13px] break-words text-muted">{alert.area_desc}</p>
      {alert.headline ? <p className="font-medium break-words">{alert.headline}</p> : null}
      {detail.isPending ? <TextSkeleton /> : null}
      {detail.error ? (
        <p className="text-bad">
          The text could not be loaded: {sentenceOf(detail.error)}{' '}
          <button type="button" className="font-medium text-accent underline" onClick={() => void detail.refetch()}>
            Retry
          </button>
        </p>
      ) : null}
      {texts?.instruction ? (
        <section aria-label="Instructions" className="rounded-lg border border-line-strong bg-hover p-3">
          <h3 className="pb-1 text-[13px] font-semibold">What to do (from the National Weather Service, verbatim)</h3>
          <p className="break-words whitespace-pre-line">{reflowText(texts.instruction)}</p>
        </section>
      ) : null}
      {texts?.description ? (
        <p className="text-[13px] leading-5 break-words whitespace-pre-line text-muted">{reflowText(texts.description)}</p>
      ) : null}
      <footer className="flex flex-wrap gap-2 pt-1">
        <Button kind="primary" onClick={() => onDetails(eventId)}>
          <ScanText size={15} aria-hidden="true" /> View Full Details
        </Button>
        {onLocate ? (
          <Button onClick={onLocate}>
            <LocateFixed size={15} aria-hidden="true" /> Show on map
          </Button>
        ) : null}
        <LinkButton href={api.url(`/alerts/${encodeURIComponent(alert.event_id)}`)} target="_blank" rel="noopener">
          <CodeXml size={15} aria-hidden="true" /> JSON
        </LinkButton>
        {source ? (
          <LinkButton href={source} target="_blank" rel="noopener noreferrer">
            <ExternalLink size={15} aria-hidden="true" /> weather.gov
          </LinkButton>
        ) : null}
      </footer>
    </article>
  );
}

function Times({ alert }: { alert: SlimAlert }) {
  const { labels } = useServices();
  const now = useNow(15);
  const words = timingSentence(alert, labels, now);
  const sent = labels.moment(Date.parse(alert.sent), alert.time_zones[0], now);
  const state = stateWords(alert);
  return (
    <div className="flex flex-col gap-2">
      <p>
        {words.lead}
        <strong className="font-semibold">{words.strong}</strong>
        {words.tail}
      </p>
      <div className="flex flex-wrap items-center gap-2 text-[13px] text-muted">
        <StateBadge word={state.word} />
        {isSimulated(alert) ? <Tag>Simulated</Tag> : null}
        {alert.test_suspected ? <Tag>Says test</Tag> : null}
        <span className="tnum">
          Issued by {alert.sender_name}, {sent}
          {alert.seen_delay_seconds === null ? '' : `; here ${durationLabel(alert.seen_delay_seconds)} later`}.
        </span>
      </div>
    </div>
  );
}

function TextSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-2">
      {['w-full', 'w-11/12', 'w-4/5', 'w-2/3'].map((width) => (
        <div key={width} className={`skeleton h-3.5 ${width}`} />
      ))}
    </div>
  );
}
