/** One line of the shown answer: `mark` says how it is tinted. */
export interface AnswerLine {
  indent: number;
  name: string | null;
  value: string;
  mark: 'text' | 'number' | 'word' | 'plain';
}

const MOST_TEXT = 64;
/** Members shown of an alert, in this order: enough to decide, short enough to read. */
const SHOWN = [
  'event',
  'severity',
  'headline',
  'area_desc',
  'state',
  'is_active',
  'in_force_until',
  'hazard_rank',
  'geometry_source',
] as const;

const line = (indent: number, name: string | null, given: unknown, comma = true): AnswerLine => {
  const tail = comma ? ',' : '';
  if (typeof given === 'string') {
    const short = given.length > MOST_TEXT ? `${given.slice(0, MOST_TEXT - 1)}…` : given;
    return { indent, name, value: JSON.stringify(short) + tail, mark: 'text' };
  }
  const mark = typeof given === 'number' ? 'number' : 'word';
  return { indent, name, value: JSON.stringify(given) + tail, mark };
};
const plain = (indent: number, value: string, name: string | null = null): AnswerLine => ({ indent, name, value, mark: 'plain' });

interface ListAnswer {
  alerts: readonly object[];
  total: number;
  freshness: object;
}

/** The answer of the list, shortened: every value is the server's own; what is left out is said as "…". */
export function answerLines(body: ListAnswer): AnswerLine[] {
  const [alert] = body.alerts as readonly Record<string, unknown>[];
  const freshness = body.freshness as Record<string, unknown>;
  return [
    plain(0, '{'),
    ...(alert
      ? [
          plain(1, '[{', 'alerts'),
          ...SHOWN.filter((name) => alert[name] !== undefined).map((name) => line(2, name, alert[name])),
          plain(2, `… ${Object.keys(alert).filter((name) => !(SHOWN as readonly string[]).includes(name)).length} more members`),
          plain(1, '}],'),
        ]
      : [plain(1, '[],', 'alerts')]),
    line(1, 'total', body.total),
    plain(1, '{', 'freshness'),
    ...['status', 'data_as_of', 'upstream_age_seconds', 'simulated'].map((name, index) =>
      line(2, name, freshness[name] ?? null, index < 3),
    ),
    plain(1, '}'),
    plain(0, '}'),
  ];
}
