import type { Part } from '../../platform/db/types.ts';
import type { PreparedZone, StoredZone, ZoneFamily, ZoneStore } from './types.ts';

type PlacesTables = {
  zones: {
    code: string;
    family: string;
    effective_from: number;
    effective_to: number | null;
    fetched_at: number;
    props: string;
    geometry: string;
  };
};

type Row = Omit<PlacesTables['zones'], 'geometry'>;

/** Zone shapes as kept. `log` is the `log` part; `reads` the same part for long reads (the start reads every zone). Throws the database's own errors. */
export function createZoneStore(log: Part, reads: Part): ZoneStore {
  const db = log.withTables<PlacesTables>();
  const slow = reads.withTables<PlacesTables>();
  const light = ['code', 'family', 'effective_from', 'effective_to', 'fetched_at', 'props'] as const;
  return {
    async load() {
      const rows = await slow
        .selectFrom('zones as z')
        .select(light.map((column) => `z.${column}` as const))
        .where('z.effective_from', '=', (e) =>
          e
            .selectFrom('zones as n')
            .select((max) => max.fn.max('n.effective_from').as('newest'))
            .whereRef('n.code', '=', 'z.code')
            .whereRef('n.family', '=', 'z.family'),
        )
        .orderBy('z.family')
        .orderBy('z.code')
        .execute();
      return rows.map(toZone);
    },
    async fetchedSince(at) {
      const rows = await slow
        .selectFrom('zones')
        .select(['code', 'family', 'effective_from', 'fetched_at'])
        .where('fetched_at', '>', at)
        .orderBy('fetched_at')
        .execute();
      return rows.map((row) => ({
        code: row.code,
        family: row.family as ZoneFamily,
        effectiveFrom: row.effective_from,
        fetchedAt: row.fetched_at,
      }));
    },
    async version({ code, family, effectiveFrom }) {
      const row = await slow
        .selectFrom('zones as z')
        .select(light.map((column) => `z.${column}` as const))
        .where('z.code', '=', code)
        .where('z.family', '=', family)
        .where('z.effective_from', '=', effectiveFrom)
        .executeTakeFirst();
      return row ? toZone(row) : null;
    },
    async save(zone) {
      const row = toRow(zone);
      await db
        .insertInto('zones')
        .values(row)
        .onConflict((conflict) => conflict.columns(['code', 'family', 'effective_from']).doUpdateSet(row))
        .execute();
    },
    async history(code, family) {
      const rows = await db
        .selectFrom('zones')
        .selectAll()
        .where('code', '=', code)
        .where('family', '=', family)
        .orderBy('effective_from')
        .execute();
      return rows.map((row) => ({ ...toZone(row), geometry: row.geometry }));
    },
  };
}

function toZone(row: Row): Omit<StoredZone, 'geometry'> {
  return {
    code: row.code,
    family: row.family as ZoneFamily,
    effectiveFrom: row.effective_from,
    effectiveTo: row.effective_to,
    fetchedAt: row.fetched_at,
    props: JSON.parse(row.props) as PreparedZone,
  };
}

function toRow(zone: StoredZone): PlacesTables['zones'] {
  return {
    code: zone.code,
    family: zone.family,
    effective_from: zone.effectiveFrom,
    effective_to: zone.effectiveTo,
    fetched_at: zone.fetchedAt,
    props: JSON.stringify(zone.props),
    geometry: zone.geometry,
  };
}
