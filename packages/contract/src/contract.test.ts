import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_ROUTES, ERRORS, openApiDocument } from './index.ts';

describe('contract', () => {
  it('names every route once, with an access level and a product area', () => {
    const operations = ALL_ROUTES.map((spec) => spec.operation);
    expect(new Set(operations).size).toBe(operations.length);
    expect(ALL_ROUTES.length).toBeGreaterThan(15);
    for (const spec of ALL_ROUTES) expect(spec.access && spec.area, spec.operation).toBeTruthy();
  });

  it('declares a path parameter for every placeholder and no other', () => {
    for (const spec of ALL_ROUTES) {
      const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(spec.params?.properties ?? {}).sort(), spec.path).toEqual(named.sort());
    }
  });

  it('uses error codes of the form area.reason with a 4xx or 5xx status and help', () => {
    for (const [code, row] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z]+\.[a-z_0-9]+$/);
      expect(row.status).toBeGreaterThanOrEqual(400);
      expect(row.help.length).toBeGreaterThan(10);
    }
  });

  it('matches the checked-in OpenAPI document (npm run openapi writes it)', () => {
    const snapshot = JSON.parse(readFileSync(resolve(import.meta.dirname, '../openapi.snapshot.json'), 'utf8')) as unknown;
    expect(JSON.parse(JSON.stringify(openApiDocument(ALL_ROUTES, { version: '1', serverUrl: '/api/v1' })))).toEqual(snapshot);
  });

  it('writes OpenAPI whose references all resolve', () => {
    const document = openApiDocument(ALL_ROUTES, { version: '1', serverUrl: '/api/v1' });
    const names = Object.keys((document['components'] as { schemas: object }).schemas);
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(names).toContain(name);
  });
});
