import countiesUrl from 'us-atlas/counties-10m.json?url';
import statesUrl from 'us-atlas/states-10m.json?url';
import { feature, mesh } from 'topojson-client';
import type { FeatureCollection, MultiLineString } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

type Atlas = Topology<{ states: GeometryCollection; counties: GeometryCollection }>;

async function read(url: string): Promise<Atlas> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Atlas;
}

/** States and territories. */
export async function loadStates(): Promise<FeatureCollection> {
  const atlas = await read(statesUrl);
  return feature(atlas, atlas.objects.states);
}

/** Lines between counties, each once. */
export async function loadCountyLines(): Promise<MultiLineString> {
  const atlas = await read(countiesUrl);
  return mesh(atlas, atlas.objects.counties, (a, b) => a !== b);
}
