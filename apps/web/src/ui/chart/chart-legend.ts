import { type ChartSpec, extentOf, toneAt, type Tone, valuesOf } from './chart-spec.ts';
import { figureText, shareText } from './chart-words.ts';

/** What a colour or a gap of a chart means. No tone: words alone. */
export interface LegendEntry {
  tone: Tone | null;
  /** Drawn as a line rather than as an area. */
  line: boolean;
  name: string;
  /** Of a part of a doughnut: how much, and of all. */
  value: string | null;
}

const words = (name: string): LegendEntry => ({ tone: null, line: false, name, value: null });

/** The legend of a chart, for the page and for pictures alike. One series that the title names needs none. */
export function legendOf(spec: ChartSpec): LegendEntry[] {
  if (spec.kind === 'heatmap' || spec.kind === 'calendar') {
    const values = valuesOf(spec);
    const high = figureText(extentOf(values).high, spec.data);
    return [
      words(`${spec.data.valueName}: 0 to ${high}, the stronger the more`),
      ...(values.includes(null) ? [words('Blank: not known')] : []),
    ];
  }
  const { series } = spec.data;
  if (spec.kind === 'doughnut') {
    const [whole] = series;
    return spec.data.labels.map((name, at) => ({
      tone: spec.data.tones?.[at] ?? toneAt(at),
      line: false,
      name,
      value: shareText(whole?.values[at] ?? null, whole?.values ?? [], whole ?? {}),
    }));
  }
  const { gap } = spec.data;
  const isDual = spec.kind === 'dual-axis';
  const side = (at: number) => (isDual ? (at === 0 ? ', left' : ', right') : '');
  const named = series.length > 1 || isDual ? series : [];
  return [
    ...named.map((each, at) => ({
      tone: each.tone ?? toneAt(at),
      line: spec.kind === 'line' || (isDual && at > 0),
      name: `${each.name}${each.unit === undefined ? '' : ` (${each.unit})`}${side(at)}`,
      value: null,
    })),
    ...(gap !== undefined && valuesOf(spec).includes(null) ? [words(`Gap: ${gap}`)] : []),
  ];
}
