import { Readable } from 'node:stream';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Row } from '../board/row.ts';
import type { FormatInput, Formats } from '../format-hook.ts';
import { type AtomFeed, atomXml } from './atom.ts';
import { capXml, XML_DECLARATION } from './cap.ts';
import { csvFileName, csvHeader, csvRow } from './csv.ts';
import { featureCollection, singleFeature } from './geojson.ts';
import { ndjsonEnd, ndjsonRow } from './ndjson.ts';

/** Rows of a CSV file; more than this is not an export but a copy of the archive. */
const CSV_MAX_ROWS = 50_000;
/** Lists with the CAP message inline carry every message's upstream text. */
const CAP_LIST_MAX_ROWS = 1_000;

const type = (contentType: string, more: Record<string, string> = {}) => ({
  'Content-Type': contentType,
  Vary: 'Accept, Accept-Encoding, Origin',
  'Cache-Control': 'no-cache',
  ...more,
});

/** Every format of alerts besides JSON. `baseUrl` is the origin people reach the server at, null = what the request said. */
export function createFormats({ clock, baseUrl }: { clock: Clock; baseUrl: string | null }): Formats {
  const originOf = ({ request }: FormatInput) => baseUrl ?? `${request.protocol}://${request.host}`;

  const feedOf = (input: FormatInput, title: string): AtomFeed => {
    const origin = originOf(input);
    const self = new URL(input.request.url, origin);
    self.searchParams.delete('_t');
    const next = new URL(self);
    if (input.nextCursor) next.searchParams.set('cursor', input.nextCursor);
    const newest = input.rows
      .map((row) => row.alert.updated_at)
      .sort()
      .at(-1);
    const { freshness } = input;
    return {
      selfUrl: self.href,
      nextUrl: input.nextCursor ? next.href : null,
      apiUrl: `${origin}/api/v1`,
      title,
      updated: newest ?? freshness.data_as_of ?? new Date(clock.now()).toISOString(),
      subtitle: `Data status ${freshness.status}, as of ${freshness.data_as_of ?? 'never'}${freshness.simulated ? '; simulated weather, not real alerts' : ''}. ${input.total} alerts match.`,
    };
  };

  const capOf = async (input: FormatInput, row: Row): Promise<string> => {
    const message = input.message(row.alert.id) ?? (await input.archive.messages([row.alert.id]))[0];
    const raw = await input.archive.raw(row.alert.id);
    if (!message) throw new AppError('alert.not_found', { public: 'The message of this alert is not at hand.' });
    return capXml(message, raw);
  };

  return {
    geojson: (input) => {
      const members = { ...input.members, freshness: input.freshness };
      const [only] = input.rows;
      const body = input.single && only ? singleFeature(only.presented, members) : featureCollection(presentedOf(input.rows), members);
      return { kind: 'raw', headers: type('application/geo+json; charset=utf-8'), body };
    },
    csv: async (input) => {
      if (input.total > CSV_MAX_ROWS) {
        throw new AppError('query.window_too_large', {
          public: `${input.total} rows match; CSV holds at most ${CSV_MAX_ROWS}. Ask for a shorter time or fewer areas.`,
        });
      }
      let text = csvHeader;
      for await (const rows of input.allRows()) for (const row of rows) text += csvRow(row.presented, input.freshness);
      const name = csvFileName(input.activeOnly, clock.now());
      return {
        kind: 'raw',
        headers: type('text/csv; charset=utf-8; header=present', { 'Content-Disposition': `attachment; filename="${name}"` }),
        body: text,
      };
    },
    ndjson: (input) => {
      async function* lines() {
        for await (const rows of input.allRows()) for (const row of rows) yield ndjsonRow(row.presented);
        yield ndjsonEnd(input.total, input.freshness);
      }
      return { kind: 'raw', headers: type('application/x-ndjson'), body: Readable.from(lines(), { objectMode: false }) };
    },
    atom: (input) => ({
      kind: 'raw',
      headers: type('application/atom+xml; charset=utf-8'),
      body: atomXml(presentedOf(input.rows), feedOf(input, 'NWMS weather alerts')),
    }),
    cap: async (input) => {
      const [only] = input.rows;
      if (input.single && only) {
        return { kind: 'raw', headers: type('application/cap+xml; charset=utf-8'), body: XML_DECLARATION + (await capOf(input, only)) };
      }
      if (input.rows.length > CAP_LIST_MAX_ROWS)
        throw new AppError('query.window_too_large', { public: `CAP lists hold at most ${CAP_LIST_MAX_ROWS} alerts; use limit.` });
      const texts = new Map<string, string>();
      for (const row of input.rows) texts.set(row.alert.id, await capOf(input, row));
      const body = atomXml(presentedOf(input.rows), feedOf(input, 'NWMS weather alerts (CAP)'), (row) => texts.get(row.slim.id) ?? null);
      return { kind: 'raw', headers: type('application/atom+xml; charset=utf-8'), body };
    },
  };
}

const presentedOf = (rows: readonly Row[]) => rows.map((row) => row.presented);
