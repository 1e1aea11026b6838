import { createHash } from 'node:crypto';
import { alerts, type QueryOf } from '@nwms/contract';
import type { Serve } from '../../../platform/http/serve.ts';
import { matchesEtag } from '../answers/answers.ts';
import { freshnessHeaders } from '../answers/freshness.ts';
import type { RouteDeps } from '../deps.ts';
import { type ListQuery, questionOf } from '../query/list.ts';
import { rowsOf } from '../query/kept-rows.ts';
import { selectRows } from '../query/select.ts';
import { keyOf } from '../routes-list.ts';
import { createTiles, tileJsonOf } from './tiles.ts';

type TileQuery = QueryOf<typeof alerts.alertTile>;

/** Tiles of one board version kept ready: a screenful of every zoom level for a handful of filters. */
const KEPT_TILES = 2_000;
/** Tiles are asked in bursts; a few seconds of age do not show, and the feed tells the map when to ask again. */
const TILE_CACHE = 'public, max-age=15';

/** Vector tiles with the filters of the list; active alerts unless asked otherwise. */
export function registerTileRoutes(serve: Serve, deps: RouteDeps): void {
  const tiles = createTiles();
  let kept = { version: -1, bodies: new Map<string, Promise<Buffer | null>>() };

  const tileOf = (key: string, version: number, make: () => Promise<Buffer | null>): Promise<Buffer | null> => {
    if (kept.version !== version || kept.bodies.size > KEPT_TILES) kept = { version, bodies: new Map() };
    const { bodies } = kept;
    const found = bodies.get(key) ?? make();
    bodies.set(key, found);
    // A failed tile is made again, not remembered.
    found.catch(() => bodies.delete(key));
    return found;
  };

  serve(alerts.tileJson, ({ query, request }) => {
    deps.answers.refuseUnlessLoaded();
    const { v: _v, ...filters } = query;
    const text = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString();
    return tileJsonOf(`${request.protocol}://${request.host}/api/v1`, text);
  });

  serve(alerts.mapBase, () => {
    const tiles = deps.streetTiles;
    return { street_tiles: tiles ? { url: tiles.url, max_zoom: tiles.maxZoom, attribution: tiles.attribution } : null };
  });

  serve(alerts.alertTile, async ({ query, params, request }) => {
    deps.answers.refuseUnlessLoaded();
    const size = 2 ** params.z;
    const { v: _v, ...filters } = query;
    const version = deps.board.version();
    const key = `${params.z}/${params.x}/${params.y} ${keyOf(filters)}`;
    const body = params.x < size && params.y < size ? await tileOf(key, version, () => encode(filters, params)) : null;
    // Of the content: any process of a deployment confirms what another one said.
    const etag = `W/"t${createHash('sha256')
      .update(body ?? key)
      .digest('base64url')
      .slice(0, 16)}"`;
    const headers = { ETag: etag, 'Cache-Control': TILE_CACHE, Vary: 'Accept-Encoding, Origin', ...freshnessHeaders(deps.freshness()) };
    if (matchesEtag(request.headers['if-none-match'], etag)) return { kind: 'raw', status: 304, headers, body: null };
    if (!body) return { kind: 'raw', status: 204, headers, body: null };
    return { kind: 'raw', headers: { ...headers, 'Content-Type': 'application/vnd.mapbox-vector-tile' }, body };
  });

  async function encode(filters: TileQuery, address: { z: number; x: number; y: number }): Promise<Buffer | null> {
    const query: ListQuery = { ...filters, active_only: filters.active_only ?? true };
    const question = questionOf(deps, query);
    const { rows, readAt } = await selectRows(deps, question, () => null);
    return tiles.encode((await Array.fromAsync(rowsOf(deps, question, readAt, rows))).flat(), address);
  }
}
