import type { Reference, ReferenceOperation } from '@nwms/contract/read-reference';

/** Who reads: decides what is revealed (DOCS-03, DOCS-04). The server decides for itself who may call. */
export interface Reader {
  isAdmin: boolean;
  /** Administrators and accounts with `special_access`. */
  isSpecial: boolean;
}

/** An endpoint that this version does not serve yet. */
export interface Planned {
  method: string;
  path: string;
}
export type Entry = { kind: 'operation'; operation: ReferenceOperation } | { kind: 'planned'; planned: Planned };

export interface Section {
  id: string;
  title: string;
  note: string;
  /** Whether the reader has to ask for it; its entries are then empty. */
  locked: boolean;
  /** How many endpoints it has, also where they are not shown. */
  size: number;
  entries: readonly Entry[];
}

interface Plan {
  id: string;
  title: string;
  note: string;
  audience?: 'special' | 'admin';
  /** Endpoints that belong here whether they are served yet or not, in this order: those the specification documents (DOCS-06). */
  named?: readonly string[];
  /** What else of the contract stands here. */
  takes?: (operation: ReferenceOperation) => boolean;
}

const inArea =
  (...areas: string[]) =>
  ({ area }: ReferenceOperation) =>
    areas.includes(area);
const below =
  (prefix: string) =>
  ({ path }: ReferenceOperation) =>
    path.startsWith(prefix);
const INSIGHTS = '/intelligence/weather-insights';

const PLANS: readonly Plan[] = [
  {
    id: 'alerts',
    title: 'Alerts',
    note: 'Alerts as events with a life: what is in force where, now and as known at any instant. No key is needed.',
    named: ['GET /alerts', 'GET /alerts/near', 'GET /alerts/within', 'GET /alerts/stats'],
    takes: (operation) => operation.area === 'alerts' && operation.operation !== 'streamAlerts',
  },
  {
    id: 'live',
    title: 'Live feed',
    note: 'Every change as it happens, in order and without gaps. Better than asking again and again.',
    takes: inArea('live'),
  },
  {
    id: 'playback',
    title: 'Playback',
    note: 'The past as it was known then.',
    named: ['POST /playback/timeline', 'GET /playback/patterns/seasonal', 'GET /playback/analysis/trends'],
    takes: below('/playback/'),
  },
  { id: 'statistics', title: 'Statistics', note: 'What the record of alerts shows. Needs a key or a session.', takes: inArea('trends') },
  { id: 'places', title: 'Places and forecasts', note: 'Points, places and their forecasts.', takes: inArea('places', 'forecast') },
  {
    id: 'health',
    title: 'Health',
    note: 'State of the service and of its data.',
    named: ['GET /health', 'GET /health/ready'],
    takes: ({ area, path }) => area === 'health' || path.endsWith('/health'),
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    note: 'Your own address, called when something changes.',
    named: ['POST /webhooks/endpoints', 'POST /webhooks/subscriptions'],
    takes: inArea('webhooks', 'geofences'),
  },
  {
    id: 'ai',
    title: 'AI-Powered Weather Insights',
    note: 'Texts written from official alerts, with their sources.',
    audience: 'special',
    named: ['alert-summary', 'risk-analysis', 'emergency-guidance', 'natural-query', 'weather-narrative'].map(
      (name) => `POST /ai-insights/${name}`,
    ),
  },
  {
    id: 'weather-intelligence',
    title: 'Weather Intelligence',
    note: 'Alerts, forecast and record read together.',
    audience: 'special',
    named: [
      'GET /intelligence/severity-trends',
      'GET /intelligence/historical-patterns',
      `GET ${INSIGHTS}/breaking-news-ticker`,
      ...['forecast-analysis', 'comprehensive-analysis', 'precipitation-forecast'].map((name) => `POST ${INSIGHTS}/${name}`),
    ],
  },
  {
    id: 'ml',
    title: 'Machine Learning Predictions',
    note: 'Predictions with their uncertainty, and how good they were.',
    audience: 'special',
    named: ['POST /ml-weather/predict/temperature', 'POST /ml-weather/predict/precipitation', 'GET /ml-weather/models/performance'],
  },
  {
    id: 'analytics',
    title: 'Analytics & Monitoring',
    note: 'Use of the API, measured from its requests. Needs the web login of an administrator.',
    audience: 'admin',
    named: ['overview', 'geographic', 'realtime', 'business-metrics'].map((name) => `GET /analytics/${name}`),
    takes: below('/analytics/'),
  },
  {
    id: 'account',
    title: 'Your account and keys',
    note: 'Needs the token of a web login; an API key cannot manage keys.',
    takes: (operation) => ['auth', 'keys', 'preferences', 'push'].includes(operation.area) && operation.access !== 'admin',
  },
  {
    id: 'administration',
    title: 'Administration',
    note: 'Needs the web login of an administrator.',
    audience: 'admin',
    takes: ({ access }) => access === 'admin',
  },
  { id: 'other', title: 'Other', note: 'Everything else of the contract.', takes: ({ access }) => access !== 'admin' },
];

const lineOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/**
 * The endpoints in sections, as this reader sees them. What the contract has is described from it; what the specification names and the
 * contract lacks is planned. Every operation stands in the first section that takes it; named ones may stand in a second.
 */
export function arrange(reference: Reference, reader: Reader): Section[] {
  const byLine = new Map(reference.operations.map((operation) => [lineOf(operation), operation]));
  const placed = new Set<string>();
  const sections: Section[] = [];
  for (const plan of PLANS) {
    const named = (plan.named ?? []).map((line): Entry => {
      const operation = byLine.get(line);
      const [method = '', path = ''] = line.split(' ');
      return operation ? { kind: 'operation', operation } : { kind: 'planned', planned: { method, path } };
    });
    const first = new Set(plan.named);
    const rest = reference.operations.filter((operation) => {
      const line = lineOf(operation);
      return !first.has(line) && !placed.has(line) && (plan.takes?.(operation) ?? false);
    });
    // A second mention, for a few readers, does not take an endpoint away from everybody's section.
    const keeps = plan.audience !== 'special';
    if (keeps) for (const line of [...first, ...rest.map(lineOf)]) placed.add(line);
    const isHidden = plan.audience === 'admin' && !reader.isAdmin;
    if (isHidden) continue;
    const locked = plan.audience === 'special' && !reader.isSpecial;
    const entries = [...named, ...rest.map((operation): Entry => ({ kind: 'operation', operation }))];
    if (entries.length > 0)
      sections.push({ id: plan.id, title: plan.title, note: plan.note, locked, size: entries.length, entries: locked ? [] : entries });
  }
  return sections;
}

/** Operations of which every word stands in method, path, name, summary or a parameter; each once. */
export function findOperations(sections: readonly Section[], words: string): ReferenceOperation[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Map<string, ReferenceOperation>();
  for (const entry of sections.flatMap(({ entries }) => entries)) {
    if (entry.kind !== 'operation') continue;
    const { operation, method, path, summary, parameters } = entry.operation;
    const text = [method, path, operation, summary, ...parameters.map(({ name }) => name)].join(' ').toLowerCase();
    if (parts.every((part) => text.includes(part))) found.set(operation, entry.operation);
  }
  return [...found.values()];
}

/** The section an operation is read in. */
export const sectionOf = (sections: readonly Section[], op: string): string | undefined =>
  sections.find(({ entries }) => entries.some((entry) => entry.kind === 'operation' && entry.operation.operation === op))?.id;
