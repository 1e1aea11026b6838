import type { Position } from '@nwms/domain/geo/shape';

import { KM_PER_DEGREE } from '../places/geometry.ts';
import { listOffices, type Office } from '../places/offices.ts';

/** Upstream's forecast grids have cells of 2.5 km; here each office's grid is centred on the office at this cell. */
const CELL_KM = 2.5;
const CENTER = 60;

export interface Cell {
  office: Office;
  x: number;
  y: number;
}

export function officeById(id: string): Office | undefined {
  return listOffices().find((office) => office.id === id);
}

/** Cell of the office's grid that holds the point. */
export function cellOf(office: Office, [lon, lat]: Position): Cell {
  return {
    office,
    x: CENTER + Math.round((lon - office.position[0]) / lonStep(office)),
    y: CENTER + Math.round((lat - office.position[1]) / LAT_STEP),
  };
}

/** Middle of a cell. */
export function middleOf({ office, x, y }: Cell): Position {
  return [office.position[0] + (x - CENTER) * lonStep(office), office.position[1] + (y - CENTER) * LAT_STEP];
}

/** Outline of a cell, closed. */
export function outlineOf(cell: Cell): Position[] {
  const [lon, lat] = middleOf(cell);
  const [w, h] = [lonStep(cell.office) / 2, LAT_STEP / 2];
  const corner = (x: number, y: number): Position => [Math.round((lon + x) * 1e6) / 1e6, Math.round((lat + y) * 1e6) / 1e6];
  return [corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h), corner(-w, -h)];
}

const LAT_STEP = CELL_KM / KM_PER_DEGREE;

function lonStep(office: Office): number {
  return LAT_STEP / Math.cos((office.position[1] * Math.PI) / 180);
}
