import type { AuditEntry } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { Badge } from '../../ui/badge.tsx';
import { actionWords, linkOf, reasonWords, valueWords } from './audit-words.ts';

export interface AuditEntryRowProps {
  entry: AuditEntry;
  open: boolean;
  toggle: () => void;
}

/** One entry: when, who, what, to what, and whether it was done; opened, the values before and after. */
export function AuditEntryRow({ entry, open, toggle }: AuditEntryRowProps) {
  const { labels } = useServices();
  const link = linkOf(entry);
  const target = isSettings(entry) ? 'settings' : (entry.target?.label ?? entry.target?.id ?? null);
  const detailsId = `audit-${entry.id}`;
  const count = entry.changes.length;
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2 px-2 py-2 hover:bg-hover sm:grid-cols-[auto_12.5rem_minmax(0,1fr)_auto] sm:items-center sm:px-3">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? detailsId : undefined}
          aria-label={`Details of ${actionWords(entry.action)} by ${entry.actor.name}`}
          onClick={toggle}
          className="target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-bg hover:text-text"
        >
          <ChevronRight size={16} aria-hidden="true" className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        </button>
        <time
          dateTime={entry.at}
          title={labels.full(Date.parse(entry.at), labels.viewerZone)}
          className="tnum text-[13px] text-muted max-sm:pt-2"
        >
          {entry.at.slice(0, 10)} {entry.at.slice(11, 19)} UTC
        </time>
        <p className="min-w-0 break-words max-sm:col-start-2">
          <span className="font-semibold">{entry.actor.name}</span> <span>{verbOf(entry)}</span>{' '}
          {target === null ? null : link ? (
            <Link to={link.to} search={link.search} className="font-medium text-accent hover:underline">
              {target}
            </Link>
          ) : (
            <span className="font-medium">{target}</span>
          )}
        </p>
        <div className="flex flex-wrap items-center gap-2 max-sm:col-start-2 max-sm:pt-1">
          {count > 0 ? <span className="tnum text-[13px] text-muted">{count === 1 ? '1 change' : `${count} changes`}</span> : null}
          {entry.outcome === 'refused' ? <Badge tone="bad">Refused</Badge> : <Badge>Done</Badge>}
        </div>
      </div>
      {open ? <Details id={detailsId} entry={entry} /> : null}
    </li>
  );
}

const isSettings = ({ target }: AuditEntry): boolean => target?.type === 'settings';

/** The action as part of a sentence; "settings" is said once, as the link. */
function verbOf(entry: AuditEntry): string {
  const words = actionWords(entry.action);
  const sentence = words.slice(0, 1).toLowerCase() + words.slice(1);
  return isSettings(entry) ? sentence.replace(/ settings$/, '') : sentence;
}

function Details({ id, entry }: { id: string; entry: AuditEntry }) {
  const facts: [string, string | null][] = [
    ['Action', entry.action],
    ['Reason', entry.reason === null ? null : reasonWords(entry.reason)],
    ['Actor', entry.actor.id === null ? entry.actor.type : `${entry.actor.type} ${entry.actor.id}`],
    ['Object', entry.target === null ? null : [entry.target.type, entry.target.id].filter(Boolean).join(' ')],
    ['Request', entry.request_id],
    ['Address (hash)', entry.address_hash],
    ['Entry', entry.id],
  ];
  return (
    <div id={id} className="flex flex-col gap-3 border-t border-line bg-bg px-4 py-3 sm:pl-14">
      {entry.changes.length > 0 ? (
        <table aria-label="Changes" className="w-full table-fixed text-left text-[13px]">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="w-1/3 py-1 pr-3 font-medium">
                Field
              </th>
              <th scope="col" className="w-1/3 py-1 pr-3 font-medium">
                Before
              </th>
              <th scope="col" className="py-1 font-medium">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {entry.changes.map(({ field, from, to }) => (
              <tr key={field} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-3 font-medium break-words">
                  {field}
                </th>
                <td className="py-1.5 pr-3 break-words text-muted">{valueWords(from)}</td>
                <td className="py-1.5 break-words">{valueWords(to)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
