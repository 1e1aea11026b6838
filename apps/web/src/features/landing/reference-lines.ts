/** Who may call: what the curl has to bring. */
export type Access = 'none' | 'key' | 'special' | 'admin';

export interface ReferenceLine {
  method: 'GET' | 'POST';
  path: string;
  what: string;
  access: Access;
  /** Example query, without the question mark. */
  query?: string;
  /** Example body. */
  body?: object;
}

export interface ReferenceGroup {
  title: string;
  lines: readonly ReferenceLine[];
}

const PLACE = { latitude: 41.59, longitude: -93.62, location: 'Des Moines, IA' };
const SPOT = { lat: 41.59, lon: -93.62 };
const POINT = { location_lat: 41.59, location_lon: -93.62 };
const ALERT_ID = 'urn:oid:2.49.0.1.840.0.…';

/** LAND-04: exactly the endpoints of the list, by what they are for. */
export const REFERENCE: readonly ReferenceGroup[] = [
  {
    title: 'Alerts',
    lines: [
      {
        method: 'GET',
        path: '/alerts',
        what: 'Every alert, filtered and ordered by danger',
        access: 'none',
        query: 'active_only=true&limit=5',
      },
      {
        method: 'GET',
        path: '/alerts/near',
        what: 'Around a point',
        access: 'none',
        query: 'lat=41.59&lon=-93.62&radius_km=50&active_only=true',
      },
      { method: 'GET', path: '/alerts/within', what: 'Inside a box', access: 'none', query: 'bbox=-96.6,40.4,-90.1,43.5&active_only=true' },
      { method: 'GET', path: '/alerts/stats', what: 'Counts by event and severity', access: 'none', query: 'active_only=true' },
    ],
  },
  {
    title: 'Live and trends',
    lines: [
      {
        method: 'GET',
        path: '/intelligence/weather-insights/breaking-news-ticker',
        what: 'The most dangerous alerts in force',
        access: 'none',
        query: 'limit=5',
      },
      {
        method: 'GET',
        path: '/intelligence/severity-trends',
        what: 'Events that grow worse or calm down',
        access: 'key',
        query: 'days_back=30',
      },
      {
        method: 'GET',
        path: '/intelligence/historical-patterns',
        what: 'Seasons and hotspots of an event',
        access: 'key',
        query: 'days=365',
      },
    ],
  },
  {
    title: 'Weather insights',
    lines: [
      {
        method: 'POST',
        path: '/intelligence/weather-insights/forecast-analysis',
        what: 'What the forecast means for a place',
        access: 'special',
        body: PLACE,
      },
      {
        method: 'POST',
        path: '/intelligence/weather-insights/comprehensive-analysis',
        what: 'Alerts, forecast and change together',
        access: 'special',
        body: PLACE,
      },
      {
        method: 'POST',
        path: '/intelligence/weather-insights/precipitation-forecast',
        what: 'Rain and snow, hour by hour',
        access: 'special',
        body: PLACE,
      },
    ],
  },
  {
    title: 'AI insights',
    lines: [
      {
        method: 'POST',
        path: '/ai-insights/alert-summary',
        what: 'An alert in plain words, with its sources',
        access: 'special',
        body: { alert_id: ALERT_ID, language: 'en' },
      },
      {
        method: 'POST',
        path: '/ai-insights/risk-analysis',
        what: 'What an alert means at a point',
        access: 'special',
        body: { alert_id: ALERT_ID, ...POINT },
      },
      {
        method: 'POST',
        path: '/ai-insights/emergency-guidance',
        what: 'What to do, beside the official text',
        access: 'special',
        body: { alert_id: ALERT_ID, stakeholder_type: 'general' },
      },
      {
        method: 'POST',
        path: '/ai-insights/natural-query',
        what: 'Ask in a sentence',
        access: 'special',
        body: { query: 'Which tornado warnings are in force in Iowa?' },
      },
      {
        method: 'POST',
        path: '/ai-insights/weather-narrative',
        what: 'The next hours as a text',
        access: 'special',
        body: { ...POINT, timeframe_hours: 24 },
      },
    ],
  },
  {
    title: 'Machine learning',
    lines: [
      { method: 'POST', path: '/ml-weather/predict/temperature', what: 'Temperature, with its uncertainty', access: 'special', body: SPOT },
      {
        method: 'POST',
        path: '/ml-weather/predict/precipitation',
        what: 'Precipitation, with its uncertainty',
        access: 'special',
        body: SPOT,
      },
      { method: 'GET', path: '/ml-weather/models/performance', what: 'How good the models measured', access: 'special' },
    ],
  },
  {
    title: 'Playback',
    lines: [
      {
        method: 'POST',
        path: '/playback/timeline',
        what: 'A past storm, frame by frame',
        access: 'none',
        body: { range: '24h', view: 'frames', frames: 24 },
      },
      { method: 'GET', path: '/playback/patterns/seasonal', what: 'What comes in which season', access: 'none' },
      { method: 'GET', path: '/playback/analysis/trends', what: 'How the counts move over time', access: 'none' },
    ],
  },
  {
    title: 'Webhooks',
    lines: [
      {
        method: 'POST',
        path: '/webhooks/endpoints',
        what: 'Name an address to be called',
        access: 'key',
        body: { url: 'https://example.org/hooks/weather' },
      },
      {
        method: 'POST',
        path: '/webhooks/subscriptions',
        what: 'Choose what it hears of',
        access: 'key',
        body: { endpoint_id: 'whe_…', event_types: ['alert.issued', 'alert.escalated'] },
      },
    ],
  },
  {
    title: 'Usage analytics',
    lines: [
      { method: 'GET', path: '/analytics/overview', what: 'Requests, errors and response times', access: 'admin', query: 'days_back=7' },
      { method: 'GET', path: '/analytics/geographic', what: 'Where requests come from', access: 'admin', query: 'days_back=7' },
      { method: 'GET', path: '/analytics/realtime', what: 'The last hour, minute by minute', access: 'admin', query: 'minutes_back=60' },
      {
        method: 'GET',
        path: '/analytics/business-metrics',
        what: 'Alerts served and questions asked',
        access: 'admin',
        query: 'days_back=7',
      },
    ],
  },
];

export const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  none: 'No key',
  key: 'API key',
  special: 'Special access',
  admin: 'Administrators',
};

/** The command that asks it, ready for a shell. Single quotes around all that a shell would read. */
export function curlOf({ method, path, access, query, body }: ReferenceLine, origin: string): string {
  const parts = [`curl ${method === 'POST' ? '-X POST ' : ''}'${origin}/api/v1${path}${query ? `?${query}` : ''}'`];
  if (access === 'admin') parts.push(`-H "Authorization: Bearer $NWMS_TOKEN"`);
  else if (access !== 'none') parts.push(`-H "X-API-Key: $NWMS_KEY"`);
  if (body) parts.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`);
  return parts.join(' \\\n  ');
}

/** The entry's place in the reference page, by its area in the API document; the page itself for what is not served yet. */
export const referenceHref = ({ method, path }: ReferenceLine, area: string | null): string =>
  area === null ? '/docs' : `/docs#tag/${area}/${method}${path}`;
