import { ChartNoAxesColumn, FileSpreadsheet, ImageDown, Lock, Table2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { saveFile } from '../../lib/csv.ts';
import { Notice } from '../notice.tsx';
import { Panel } from '../page.tsx';
import { ErrorNotice } from '../states.tsx';
import { useToast } from '../toast.tsx';
import { ChartTable } from './chart-table.tsx';
import type { Drawing as Engine } from './chart-engine.ts';
import { chartCsv, fileNameOf } from './chart-files.ts';
import { legendOf } from './chart-legend.ts';
import { savePicture } from './chart-picture.ts';
import { type ChartSpec, isChartKind, isEmpty } from './chart-spec.ts';
import { summaryOf } from './chart-words.ts';
import { Drawing } from './drawing.tsx';
import { Legend } from './legend.tsx';
import { readLook } from './look.ts';

/** How the data of a chart stands. `ready` also while it is being refreshed. */
export type ViewState =
  | { is: 'loading' }
  | { is: 'ready' }
  | { is: 'forbidden' }
  | { is: 'failed'; message: string; requestId: string | null; retry: () => void; busy: boolean };

export interface ChartPanelProps {
  title: string;
  /** What is counted, over what time. Also stands in the picture when it is text. */
  note?: ReactNode;
  /** Null: no data yet. */
  spec: ChartSpec | null;
  state: ViewState;
  height?: number;
  /** Why there is nothing to draw, and what would be needed. */
  empty?: ReactNode;
  /** Said in the picture and in every row of the CSV: that weather is simulated, that figures are samples. */
  mark?: string | null;
  /** Over what time, where the page says it once for all charts: written into the picture. */
  period?: string | null;
  /** Old data that is still shown. */
  dimmed?: boolean;
  actions?: ReactNode;
  onPick?: (stop: number) => void;
  children?: ReactNode;
}

const HEIGHT = 260;
const ICON =
  'target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text aria-pressed:bg-accent-bg aria-pressed:text-accent';

/** A chart in its card: drawing or table, picture and CSV to take away, and every state it can be in (ERR-05). */
export function ChartPanel(props: ChartPanelProps) {
  const { title, note, spec, state, height = HEIGHT, mark = null } = props;
  const [asTable, setAsTable] = useState(false);
  const [broken, setBroken] = useState(false);
  const engine = useRef<Engine | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const toast = useToast();
  const drawable = state.is === 'ready' && spec !== null && isChartKind(spec.kind) && !isEmpty(spec);
  const table = asTable || broken;
  const savePng = () => {
    if (!engine.current || !frame.current || !spec) return;
    const look = readLook(frame.current);
    const words = {
      title,
      note: [mark, typeof note === 'string' ? note : null, props.period].filter(Boolean).join(' · '),
      name: fileNameOf(title, Date.now()),
      legend: legendOf(spec),
    };
    savePicture(engine.current.picture(look.surface), look, words).then(
      () => toast('Picture saved'),
      () => toast('The picture could not be made', 'bad'),
    );
  };
  return (
    <Panel
      title={title}
      note={note}
      actions={
        <>
          {props.actions}
          {drawable ? (
            <div className="flex">
              {broken ? null : (
                <button
                  type="button"
                  className={ICON}
                  aria-pressed={asTable}
                  title="Show as table"
                  aria-label={`${title}: show as table`}
                  onClick={() => setAsTable(!asTable)}
                >
                  {asTable ? <ChartNoAxesColumn size={16} aria-hidden="true" /> : <Table2 size={16} aria-hidden="true" />}
                </button>
              )}
              {table ? null : (
                <button type="button" className={ICON} title="Download PNG" aria-label={`${title}: download PNG`} onClick={savePng}>
                  <ImageDown size={16} aria-hidden="true" />
                </button>
              )}
              <button
                type="button"
                className={ICON}
                title="Download CSV"
                aria-label={`${title}: download CSV`}
                onClick={() => saveFile(`${fileNameOf(title, Date.now())}.csv`, chartCsv(spec, mark))}
              >
                <FileSpreadsheet size={16} aria-hidden="true" />
              </button>
            </div>
          ) : null}
        </>
      }
    >
      <div ref={frame} className={props.dimmed ? 'opacity-60' : ''}>
        <Body {...props} {...{ height, table, broken }} onBroken={() => setBroken(true)} onEngine={(next) => (engine.current = next)} />
      </div>
      {props.children}
    </Panel>
  );
}

type BodyProps = ChartPanelProps & {
  height: number;
  table: boolean;
  broken: boolean;
  onBroken: () => void;
  onEngine: (engine: Engine | null) => void;
};

function Body({ title, spec, state, height, empty, table, broken, onBroken, onEngine, onPick }: BodyProps) {
  if (state.is === 'loading')
    return (
      <output className="block">
        <span className="sr-only">Loading {title}</span>
        <div aria-hidden="true" className="skeleton" style={{ height }} />
      </output>
    );
  if (state.is === 'failed')
    return <ErrorNotice message={state.message} requestId={state.requestId} onRetry={state.retry} busy={state.busy} />;
  if (state.is === 'forbidden')
    return (
      <Notice icon={<Lock size={24} aria-hidden="true" />} title="No data available">
        Charts may require admin access.
      </Notice>
    );
  if (spec !== null && !isChartKind((spec as { kind: string }).kind))
    return (
      <Notice
        icon={<ChartNoAxesColumn size={24} aria-hidden="true" />}
        title={`Invalid chart type: ${(spec as { kind: string }).kind}`}
        tone="bad"
      />
    );
  if (spec === null || isEmpty(spec))
    return (
      <Notice icon={<ChartNoAxesColumn size={24} aria-hidden="true" />} title="No data available">
        {empty}
      </Notice>
    );
  if (table)
    return (
      <>
        {broken ? <p className="pb-2 text-[13px] text-muted">The drawing could not be loaded. These are its numbers.</p> : null}
        <ChartTable title={title} spec={spec} height={height} />
      </>
    );
  const drawing = <Drawing spec={spec} summary={summaryOf(title, spec)} {...{ height, onBroken, onEngine, onPick }} />;
  if (spec.kind === 'doughnut')
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div style={{ width: height }} className="max-w-full shrink-0">
          {drawing}
        </div>
        <Legend spec={spec} />
      </div>
    );
  return spec.kind === 'heatmap' || spec.kind === 'calendar' ? (
    <>
      {drawing}
      <Legend spec={spec} />
    </>
  ) : (
    <>
      <Legend spec={spec} />
      {drawing}
    </>
  );
}
