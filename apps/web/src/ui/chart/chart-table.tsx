import type { ChartSpec } from './chart-spec.ts';
import { figureText, tableOf } from './chart-words.ts';

/** The numbers of a chart as a table, in a frame of the height of the drawing. */
export function ChartTable({ title, spec, height }: { title: string; spec: ChartSpec; height: number }) {
  const { head, rows, figures } = tableOf(spec);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={`${title}, as a table`} className="overflow-auto" style={{ maxHeight: Math.max(height, 240) }}>
      <table className="tnum w-full border-collapse text-[13px]">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {head.map((name, at) => (
              <th
                key={name}
                scope="col"
                className={`border-b border-line px-2 py-1.5 font-medium ${at === 0 ? 'text-left' : 'text-right'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- labels may repeat (one path, two methods)
            <tr key={`${label} ${at}`} className="border-t border-line">
              <th scope="row" className="px-2 py-1 text-left font-medium">
                {label}
              </th>
              {values.map((value, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns stand still
                <td key={column} className="px-2 py-1 text-right">
                  {figureText(value, figures[column] ?? {})}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
