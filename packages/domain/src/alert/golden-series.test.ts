import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { evaluate, evaluateZone } from './evaluate.ts';
import { bench, message, MINUTE } from './fixture.ts';
import { isTerminal } from './in-force.ts';
import type { AlertMessage, Vtec } from './message.ts';
import { parseFeature } from './parse-feature.ts';
import { applyPresence } from './presence.ts';
import { tick } from './tick.ts';
import { typeOfVtec } from './types.ts';
import { parseVtec, vtecKey } from './vtec.ts';

const root = process.env['NWMS_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data');
const present = existsSync(join(root, 'text-products'));
if (!present) console.info('recorded NWS series are not on this machine: golden tests of chains are skipped');
const gz = (path: string) => gunzipSync(readFileSync(join(root, path))).toString();

interface Product {
  file: string;
  vtec: string[];
  text: string;
}

/** `CTZ011-012>014-NYZ073-022300-` as codes; null when the line is none. */
function ugcLine(text: string): string[] | null {
  if (!/^[A-Z]{2}[CZ][0-9A-Z>-]+-$/.test(text)) return null;
  const codes: string[] = [];
  let prefix = '';
  for (const part of text.split('-').slice(0, -2)) {
    const m = /^([A-Z]{2}[CZ])?(\d{3})(?:>(\d{3}))?$/.exec(part);
    if (!m) return null;
    prefix = m[1] ?? prefix;
    for (let n = Number(m[2]); n <= Number(m[3] ?? m[2]); n++) codes.push(prefix + String(n).padStart(3, '0'));
  }
  return codes;
}

/** Time of issue: the WMO header's day and time, in the month that lies nearest to the product's own VTEC times. */
function issuedAt(text: string, vtec: Vtec[]): number | null {
  const header = /^[A-Z]{4}\d{2} [A-Z]{4} (\d{2})(\d{2})(\d{2})/m.exec(text);
  const near = vtec.map((v) => v.beginsAt ?? v.endsAt).find((at) => at !== null);
  if (!header || near === undefined || near === null) return null;
  const [day, hour, minute] = header.slice(1).map(Number) as [number, number, number];
  const base = new Date(near);
  const options = [-1, 0, 1].map((months) => Date.UTC(base.getUTCFullYear(), base.getUTCMonth() + months, day, hour, minute));
  return options.sort((a, b) => Math.abs(a - near) - Math.abs(b - near))[0] ?? null;
}

/** Segments of a product as CAP-like messages, one per segment with all its VTEC strings. */
function segments(product: Product): AlertMessage[] {
  const strings = product.vtec.map(parseVtec).filter((v) => v !== null);
  const sent = issuedAt(product.text, strings);
  if (sent === null) return [];
  const messages: AlertMessage[] = [];
  for (const [i, block] of product.text.replaceAll('\r', '').split('$$').entries()) {
    const lines = block.split('\n').map((line) => line.trim());
    const vtec = lines.map(parseVtec).filter((v) => v !== null);
    const first = lines.findIndex((line) => parseVtec(line) !== null);
    const start = lines.slice(0, Math.max(0, first)).findLastIndex((line) => /^[A-Z]{2}[CZ]\d{3}/.test(line));
    const zones = start < 0 ? null : ugcLine(lines.slice(start, first).join(''));
    if (vtec.length === 0 || !zones) continue;
    const lead = vtec.findLast((v) => v.action !== 'CAN' && v.action !== 'UPG') ?? (vtec[0] as Vtec);
    const event = typeOfVtec(lead.phenomenon, lead.significance)?.event ?? 'Unknown';
    messages.push(
      message({
        id: `${product.file}#${i}`,
        event,
        zones,
        vtec: vtec.map((v) => v.raw),
        sent,
        effective: null,
        ends: null,
        urgency: 'Expected',
        response: 'Avoid',
      }),
    );
  }
  return messages;
}

type Starts = Map<string, { year: number; begins: Set<number | null>; last: number }[]>;

/** Year of the chain a string continues, by hand: NEW starts one a year; others follow the one that begins as they say, else the last. */
function chainOf(starts: Starts, v: Vtec, sent: number): number {
  const known = starts.get(vtecKey(v)) ?? [];
  starts.set(vtecKey(v), known);
  const year = new Date(sent).getUTCFullYear();
  const recent = known.filter((chain) => sent - chain.last < 60 * 24 * 60 * MINUTE);
  const own =
    v.action === 'NEW'
      ? recent.find((c) => c.year === year)
      : (recent.find((c) => c.begins.has(v.beginsAt) && v.beginsAt !== null) ?? recent.at(-1));
  const chain = own ?? { year, begins: new Set(), last: sent };
  if (!own) known.push(chain);
  chain.begins.add(v.beginsAt);
  chain.last = sent;
  return chain.year;
}

describe.skipIf(!present)('VTEC chains of real text products', () => {
  const products = present
    ? gz('text-products/nws-text-products.jsonl.gz')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Product)
    : [];
  const folders = Map.groupBy(products, (product) => product.file.split('/').slice(0, -1).join('/'));
  const chains = [...folders].filter(([folder, items]) => /[A-Z]{6}$/.test(folder) && items.length > 1);

  it('every zone of every chain follows the last product that names it, and every event is one chain', () => {
    const faults: string[] = [];
    const sizes = { chains: 0, segments: 0, events: 0, upgraded: 0, linked: 0 };
    for (const [folder, items] of chains) {
      const messages = items.flatMap(segments);
      if (messages.length === 0) continue;
      sizes.chains++;
      const b = bench();
      const said = new Map<string, { v: Vtec; sent: number }>();
      const starts = new Map<string, { year: number; begins: Set<number | null>; last: number }[]>();
      for (const [sent, batch] of [...Map.groupBy(messages, (m) => m.sent)].sort((x, y) => x[0] - y[0])) {
        for (const event of b.index.events()) b.index.put(tick(event, sent).event);
        b.apply(batch, { now: sent });
        for (const m of batch) {
          sizes.segments++;
          for (const v of m.vtec) {
            for (const zone of m.zones) {
              const key = `${vtecKey(v)}|${chainOf(starts, v, sent)}|${zone.code}`;
              const old = said.get(key);
              // One product may cancel and continue a zone under one number; then it stays (see orderForApply).
              const terminal = (x: Vtec) => x.action === 'CAN' || x.action === 'UPG';
              if (!old || old.sent < sent || terminal(old.v) || !terminal(v)) said.set(key, { v, sent });
            }
          }
        }
        for (const [key, { v }] of said) {
          const [name = '', year = '', code = ''] = key.split('|');
          const event = b.index.event(`${name}.${year}`);
          const active = v.action !== 'CAN' && v.action !== 'UPG' && (v.endsAt === null ? v.action !== 'EXP' : v.endsAt > sent);
          if (!event) faults.push(`${folder} ${name}.${year} is missing`);
          else if (evaluateZone(event, code, sent).isActive !== active)
            faults.push(`${folder} ${new Date(sent).toISOString()} ${key} ${v.action} is not followed`);
        }
      }
      const expected = new Set([...said.keys()].map((key) => key.split('|').slice(0, 2).join('.')));
      if (expected.size !== b.index.events().length)
        faults.push(`${folder}: ${b.index.events().length} events for ${expected.size} chains`);
      sizes.events += b.index.events().length;
      const upgraded = b.index.events().filter((e) => e.endedByMessage?.how === 'upgraded');
      sizes.upgraded += upgraded.length;
      sizes.linked += upgraded.filter((e) => e.upgradedTo !== null).length;
    }
    console.info('text product chains', sizes);
    expect(faults).toEqual([]);
    expect(sizes.chains).toBeGreaterThan(15);
    expect(sizes.events).toBeGreaterThan(50);
  });
});

interface Hazard {
  WFO: string;
  CAP_ID: string;
  PROD_TYPE: string;
  VTEC: string;
  ISSUANCE: number;
  EXPIRATION: number;
  geometry_id: string;
}

describe.skipIf(!present)('Montana, ten weeks of polls in 2023', () => {
  it('no listed hazard is ever inactive, none is withdrawn, none ends twice', () => {
    const { snapshots } = JSON.parse(gz('timeseries/montana-hazards-2023-07-19_09-30.json.gz')) as {
      snapshots: { fetched: string; features: Hazard[] }[];
    };
    const zones = new Map<string, string>();
    const zoneOf = (geometry: string) => {
      if (!zones.has(geometry)) zones.set(geometry, `MTZ${String(zones.size + 1).padStart(3, '0')}`);
      return zones.get(geometry) as string;
    };
    const b = bench();
    const faults: string[] = [];
    const counts: Record<string, number> = {};
    let listedRows = 0;
    let overdue = 0;
    for (const { fetched, features } of snapshots) {
      const now = Date.parse(fetched);
      const count = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1);
      for (const event of b.index.events()) {
        const stepped = tick(event, now);
        b.index.put(stepped.event);
        stepped.entries.forEach((e) => count(e.kind));
      }
      const messages = features.map((f) =>
        message({
          // The collector keeps one row per segment; the same CAP id may come with several shapes.
          id: `${f.CAP_ID}/${f.geometry_id}`,
          event: f.PROD_TYPE,
          office: f.WFO,
          zones: [zoneOf(f.geometry_id)],
          vtec: f.VTEC,
          sent: f.ISSUANCE * 1000,
          expires: f.EXPIRATION * 1000,
          effective: null,
          receivedAt: now,
          response: null,
          urgency: null,
        }),
      );
      b.apply(messages, { now }).forEach((e) => count(e.kind));
      const listed = new Set(messages.map((m) => m.id));
      for (const event of b.index.events()) {
        const stepped = applyPresence(event, { startedAt: now + 1, listed }, now + 1);
        b.index.put(stepped.event);
        stepped.entries.forEach((e) => count(e.kind));
      }
      for (const m of messages) {
        listedRows++;
        const event = b.index.byMessage(m.id)!;
        const end = m.vtec[0]?.endsAt ?? null;
        if (end !== null && end <= now) overdue++;
        else if (isTerminal(m) === evaluateZone(event, m.zones[0]!.code, now).isActive) {
          // Terminal rows must be over, others active, except where a newer row speaks for the same shape.
          const newer = event.versions.some((v) => v.sent > m.sent);
          if (!newer) faults.push(`${fetched} ${m.vtec[0]?.raw}: ${evaluate(event, now).state}`);
        }
      }
    }
    console.info('Montana', { snapshots: snapshots.length, listedRows, overdue, events: b.index.events().length, ...counts });
    expect(faults).toEqual([]);
    expect(counts['withdrawn'] ?? 0).toBe(0);
    expect(overdue / listedRows).toBeLessThan(0.2);
    expect(b.index.events().length).toBeGreaterThan(100);
  });
});

describe.skipIf(!present)('October 2025, five national days without VTEC', () => {
  it('every message is read, keep-alives never count, a fresh message is active unless it says it is over', () => {
    const rows = JSON.parse(gz('alerts/log-us-2025-10-16_21.reduced.json.gz')) as Record<string, unknown>[];
    const messages: AlertMessage[] = [];
    for (const row of rows) {
      const parsed = parseFeature(
        { properties: { ...row, geocode: row['geoCode'], status: 'Actual' } },
        { source: 'nws', receivedAt: 0, contentHash: String(row['id']) },
      );
      if (parsed.ok) messages.push({ ...parsed.message, receivedAt: parsed.message.sent });
    }
    expect(messages).toHaveLength(2791);
    expect(messages.filter((m) => m.isTest)).toHaveLength(366);
    const b = bench();
    const faults: string[] = [];
    const start = performance.now();
    for (const [sent, batch] of [...Map.groupBy(messages, (m) => m.sent)].sort((x, y) => x[0] - y[0])) {
      b.apply(batch, { now: sent });
      for (const m of batch) {
        const event = b.index.byMessage(m.id);
        const until = m.ends ?? m.expires;
        const over = isTerminal(m) || (until !== null && until <= sent);
        if (!event || (!over && !evaluate(event, sent).isActive)) faults.push(`${m.id} ${m.event}`);
      }
    }
    const kinds = Object.fromEntries([...Map.groupBy(b.entries, (e) => e.kind)].map(([kind, list]) => [kind, list.length]));
    console.info('October', { events: b.index.events().length, ms: Math.round(performance.now() - start), ...kinds });
    expect(faults).toEqual([]);
    expect(b.entries.filter((e) => e.event.event === 'Test Message' && e.channels.length > 0)).toEqual([]);
  });
});
