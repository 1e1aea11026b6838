import { describe, expect, test } from 'vitest';
import { curlOf, REFERENCE, referenceHref } from './reference-lines.ts';

const LINES = REFERENCE.flatMap(({ lines }) => lines);

describe('the API reference list of the start page', () => {
  test('LAND-04: names exactly the endpoints of the specification', () => {
    expect(LINES.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      [
        ...['/alerts', '/alerts/near', '/alerts/within', '/alerts/stats'].map((path) => `GET ${path}`),
        ...['alert-summary', 'risk-analysis', 'emergency-guidance', 'natural-query', 'weather-narrative'].map(
          (name) => `POST /ai-insights/${name}`,
        ),
        ...['forecast-analysis', 'comprehensive-analysis', 'precipitation-forecast'].map(
          (name) => `POST /intelligence/weather-insights/${name}`,
        ),
        'GET /intelligence/weather-insights/breaking-news-ticker',
        'GET /intelligence/severity-trends',
        'GET /intelligence/historical-patterns',
        'POST /ml-weather/predict/temperature',
        'POST /ml-weather/predict/precipitation',
        'GET /ml-weather/models/performance',
        ...['overview', 'geographic', 'realtime', 'business-metrics'].map((name) => `GET /analytics/${name}`),
        'POST /webhooks/endpoints',
        'POST /webhooks/subscriptions',
        'POST /playback/timeline',
        'GET /playback/patterns/seasonal',
        'GET /playback/analysis/trends',
      ].toSorted(),
    );
  });

  test('every command brings the credential its endpoint asks for, and none where none is asked', () => {
    for (const line of LINES) {
      const curl = curlOf(line, 'https://alerts.example.org');
      expect(curl).toContain(`https://alerts.example.org/api/v1${line.path}`);
      expect(curl.includes('X-API-Key')).toBe(line.access === 'key' || line.access === 'special');
      expect(curl.includes('Authorization')).toBe(line.access === 'admin');
      expect(curl.includes('-X POST')).toBe(line.method === 'POST');
    }
  });

  test('a quote in a body does not end the argument', () => {
    const curl = curlOf({ method: 'POST', path: '/x', what: '', access: 'none', body: { text: "it's" } }, '');
    expect(curl).toContain(String.raw`'{"text":"it'\''s"}'`);
  });

  test('what is served leads to its entry, what is not yet to the page', () => {
    const [first] = LINES;
    if (!first) throw new Error('no lines');
    expect(referenceHref(first, 'alerts')).toBe('/docs#tag/alerts/GET/alerts');
    expect(referenceHref(first, null)).toBe('/docs');
  });
});
