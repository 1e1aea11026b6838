import { useQuery } from '@tanstack/react-query';
import type { AlertDetail, AlertHistory } from '@nwms/contract';
import { sentenceOf } from '../../../api/errors.ts';
import { useServices } from '../../../api/services.ts';
import { useUnits } from '../../../api/use-units.ts';
import { useNow } from '../../../lib/use-now.ts';
import { historyQuery } from '../queries.ts';
import { diffLines } from './diff-words.ts';
import { Moment } from './facts.tsx';
import { Section } from './section.tsx';
import { tagValue } from './tag-words.ts';

const LINK = 'target inline-flex items-center rounded-md font-medium text-accent hover:underline';

/** Every revision of the event, newest first, with what it changed, and the events it is bound to. */
export function History({ detail, onOpen }: { detail: AlertDetail; onOpen: (id: string) => void }) {
  const { api } = useServices();
  const history = useQuery(historyQuery(api, detail.event_id));
  return (
    <Section title="Revisions">
      {history.data ? (
        <>
          <ol reversed className="flex flex-col">
            {[...history.data.versions].reverse().map((revision) => (
              <Revision key={`${revision.seq} ${revision.id} ${revision.kind}`} {...{ revision, detail, onOpen }} />
            ))}
          </ol>
          <Related related={history.data.related} onOpen={onOpen} />
        </>
      ) : history.error ? (
        <p className="text-bad">
          The revisions could not be loaded: {sentenceOf(history.error)}{' '}
          <button type="button" className="target font-medium text-accent underline" onClick={() => void history.refetch()}>
            Retry
          </button>
        </p>
      ) : (
        <div className="skeleton h-12" />
      )}
    </Section>
  );
}

function Revision(props: { revision: AlertHistory['versions'][number]; detail: AlertDetail; onOpen: (id: string) => void }) {
  const { revision, detail, onOpen } = props;
  const { labels } = useServices();
  const { system } = useUnits();
  const now = useNow(60);
  const zone = detail.time_zones[0];
  const lines = diffLines(revision.diff ?? {}, {
    moment: (iso) => labels.moment(Date.parse(iso), zone, now),
    zone: (ugc) => detail.zones.find((each) => each.ugc === ugc)?.name ?? ugc,
    tag: (name, value) => tagValue(name, value, system),
  });
  const shown = revision.id === detail.id;
  return (
    <li className="border-l-2 border-line-strong py-1.5 pl-3">
      <p className="flex flex-wrap items-center gap-x-3 text-sm">
        <strong className="font-semibold">
          {revision.version}. {revision.summary}
        </strong>
        <span className="tnum text-[13px] text-muted">
          <Moment iso={revision.sent} zone={zone} />
          {revision.action ? `, ${revision.action}` : ''}
        </span>
        {shown ? (
          <span className="text-[13px] text-muted">shown here</span>
        ) : (
          <button type="button" className={`${LINK} text-[13px]`} onClick={() => onOpen(revision.id)}>
            Read this one
          </button>
        )}
      </p>
      {lines.length > 0 ? (
        <ul className="tnum list-disc pl-5 text-[13px] leading-5 text-muted">
          {lines.map((line) => (
            <li key={line} className="break-words">
              {line}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

const RELATIONS: Record<AlertHistory['related'][number]['relation'], string> = {
  upgraded_to: 'Upgraded to',
  upgraded_from: 'Upgraded from',
  same_bulletin: 'In the same bulletin',
};

function Related({ related, onOpen }: { related: AlertHistory['related']; onOpen: (id: string) => void }) {
  if (related.length === 0) return null;
  return (
    <ul className="flex flex-col pt-2 text-sm">
      {related.map(({ event_id, relation, event }) => (
        <li key={`${relation} ${event_id}`} className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{RELATIONS[relation] ?? relation}</span>
          <button type="button" className={LINK} onClick={() => onOpen(event_id)}>
            {event}
          </button>
        </li>
      ))}
    </ul>
  );
}
