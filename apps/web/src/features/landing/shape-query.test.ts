import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Services } from '../../api/services.ts';
import type { HeroAlert } from './hero-answer.ts';
import { isDrawable, shapeQuery } from './shape-query.ts';

const slimAlert = (change: Partial<HeroAlert>): HeroAlert =>
  ({ event_id: 'E1', version: 1, geometry_source: 'polygon', ugc: [], ...change }) as HeroAlert;
const zones = (count: number) => Array.from({ length: count }, (_, n) => `IAZ${String(n).padStart(3, '0')}`);

describe('the outline in the small picture', () => {
  test.each([
    ['polygon', 1, true],
    ['polygon', 400, true],
    ['zones', 24, true],
    ['zones', 25, false],
    ['counties', 24, true],
    ['counties', 25, false],
    ['none', 1, false],
  ] as const)('%s of %i zones is fetched: %s', (geometry_source, count, drawn) => {
    expect(isDrawable({ geometry_source, ugc: zones(count) })).toBe(drawn);
  });

  const asked: unknown[] = [];
  const ask = (geometry: object | null | undefined) => {
    const api = {
      call: async (line: { path: string }, input: object) => {
        asked.push([line.path, input]);
        return { geometry };
      },
    };
    return new QueryClient().fetchQuery(shapeQuery({ api } as unknown as Services, slimAlert({ event_id: 'E1', version: 3 })));
  };

  test('is that of this event, made for drawing, and absent when none was sent', async () => {
    const square = { type: 'Polygon', coordinates: [] };
    expect(await ask(square)).toBe(square);
    expect(asked[0]).toMatchObject(['/alerts/{id}', { params: { id: 'E1' }, query: { geometry: 'display' } }]);
    expect(await ask(null)).toBeNull();
    expect(await ask(undefined)).toBeNull();
  });

  test('is asked for once per version, and not at all when it would be too large', () => {
    const services = {} as Services;
    const one = shapeQuery(services, slimAlert({ event_id: 'E1', version: 3 }));
    expect(one.queryKey).toEqual(shapeQuery(services, slimAlert({ event_id: 'E1', version: 3 })).queryKey);
    expect(one.queryKey).not.toEqual(shapeQuery(services, slimAlert({ event_id: 'E1', version: 4 })).queryKey);
    expect(one.staleTime).toBe(Infinity);
    expect(shapeQuery(services, slimAlert({ geometry_source: 'zones', ugc: zones(200) })).enabled).toBe(false);
  });
});
