import { RefreshCw } from 'lucide-react';
import { ApiError } from '../../api/errors.ts';
import { useOrigin, useServices } from '../../api/services.ts';
import type { Heard } from '../../api/use-heard.ts';
import { type AnswerLine, answerLines } from './answer-lines.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { HERO_PATH, HERO_QUERY, type HeroAnswer } from './hero-answer.ts';
import { milliseconds } from './milliseconds.ts';

const INDENT = ['', 'pl-[2ch]', 'pl-[4ch]'] as const;
const TINT: Record<AnswerLine['mark'], string> = { text: 'text-ok', number: 'text-accent', word: 'text-(--severe)', plain: 'text-muted' };

/** The question this page asked and the answer it got, a moment ago, from this server. */
export function Console({ query }: { query: Heard<HeroAnswer> }) {
  const { api } = useServices();
  const origin = useOrigin();
  const address = `${origin}${api.url(HERO_PATH, HERO_QUERY)}`;
  const curl = `curl -i '${address}'`;
  const { data } = query;
  return (
    <section
      aria-label="A request and its answer"
      className="card flex min-w-0 flex-col self-start overflow-clip font-mono text-[13px] leading-relaxed shadow-pop"
    >
      <div className="flex items-start gap-2 border-b border-line py-2.5 pr-2 pl-4">
        <p className="min-w-0 flex-1 py-1.5 wrap-anywhere">
          <span className="text-muted select-none">$ </span>
          {curl}
        </p>
        <CopyButton text={curl} label="Copy this command" />
      </div>
      <div className="flex min-h-12 items-center gap-x-3 border-b border-line py-1 pr-2 pl-4">
        {query.isError ? (
          <p className="min-w-0 flex-1 truncate font-semibold text-bad">
            {query.error instanceof ApiError && query.error.status > 0 ? `${query.error.status} ${query.error.code}` : 'No answer'}
          </p>
        ) : data ? (
          <p className="tnum min-w-0 flex-1 truncate">
            <span className="font-semibold text-ok">{data.status === 200 ? '200 OK' : '304 Not Modified'}</span>
            <span className="text-muted"> in </span>
            {milliseconds(data.tookMs)} ms
          </p>
        ) : (
          <div className="flex-1">
            <div className="skeleton h-4 w-32" />
          </div>
        )}
        <button
          type="button"
          aria-label="Ask again"
          title="Ask again"
          onClick={() => void query.refetch()}
          className="target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text"
        >
          <RefreshCw size={16} aria-hidden="true" className={query.isFetching ? 'animate-spin motion-reduce:animate-none' : ''} />
        </button>
      </div>
      <div className="flex min-h-[27.5rem] flex-col overflow-hidden px-4 py-3" aria-busy={query.isPending}>
        {data ? (
          <>
            <dl className="pb-3">
              {data.headers.map(([name, value]) => (
                <div key={name} className="flex gap-2 whitespace-nowrap">
                  <dt className="text-muted">{name}:</dt>
                  <dd className={`truncate ${name === 'NWMS-Data-Status' ? 'font-semibold' : ''}`}>{value}</dd>
                </div>
              ))}
            </dl>
            <Lines lines={answerLines(data.body)} />
          </>
        ) : query.isError ? (
          <p className="font-sans text-muted">The server gave no answer that could be shown. It is asked again every 30 seconds.</p>
        ) : null}
      </div>
    </section>
  );
}

function Lines({ lines }: { lines: readonly AnswerLine[] }) {
  return (
    <pre className="font-mono">
      <code>
        {lines.map(({ indent, name, value, mark }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no identity but their place
          <span key={index} className={`block truncate ${INDENT[indent] ?? ''}`}>
            {name === null ? null : <span>"{name}": </span>}
            <span className={TINT[mark]}>{value}</span>
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}
