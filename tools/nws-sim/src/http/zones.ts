import { ZONE_TYPES } from '../places/zones.ts';
import type { Context } from './context.ts';
import { CONTEXT, json, problem, type Reply } from './reply.ts';

const KNOWN = ['id', 'area', 'region', 'type', 'point', 'include_geometry', 'limit', 'effective'];

/** Answers under `/zones`; undefined when the path is none of them. */
export function answerZones(context: Context): Reply | undefined {
  const [root, type, id, ...rest] = context.segments;
  if (root !== 'zones' || rest.length > 0) return undefined;
  const unknown = [...context.query.keys()].filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) {
    const parameterErrors = unknown.map((name) => ({ parameter: `query.${name}`, message: `Query parameter "${name}" is not recognized` }));
    return problem(400, 'Bad Request', 'Bad Request', context.correlationId, { parameterErrors });
  }
  const types: readonly string[] =
    type === undefined ? (context.query.get('type')?.split(',') ?? ['public', 'county', 'fire', 'coastal', 'offshore']) : [type];
  if (types.some((name) => name !== 'land' && name !== 'marine' && !(ZONE_TYPES as readonly string[]).includes(name))) {
    return problem(404, 'Not Found', `'${context.path}' is not a valid resource path`, context.correlationId);
  }
  return id === undefined || type === undefined ? list(context, types) : one(context, type, id);
}

function one(context: Context, type: string, id: string): Reply {
  const zone = context.feed.zone(type, id);
  if (!zone) return problem(404, 'Zone Not Found', `Zone ${id} of type ${type} does not exist`, context.correlationId);
  return json({ '@context': CONTEXT, ...zone });
}

function list(context: Context, types: readonly string[]): Reply {
  const { query, feed } = context;
  const wantedIds = query.get('id')?.split(',');
  const areas = query.get('area')?.split(',');
  const withShapes = query.get('include_geometry') === 'true';
  const point = query.get('point')?.split(',').map(Number);
  const place = point && feed.zonesAt([point[1] ?? 0, point[0] ?? 0]);
  const names = types.flatMap((type) =>
    type === 'land' ? ['public', 'county', 'fire'] : type === 'marine' ? ['coastal', 'offshore'] : [type],
  );
  const features = names
    .flatMap((type) => feed.zones(type))
    .filter(({ properties }) => !wantedIds || wantedIds.includes(properties.id))
    .filter(({ properties }) => !areas || areas.includes(properties.id.slice(0, 2)))
    .filter(({ properties }) => !point || (place !== undefined && [place.county, place.forecast, place.fire].includes(properties.id)))
    .slice(0, Number(query.get('limit') ?? Infinity))
    .map((zone) => (withShapes ? zone : { ...zone, geometry: null }));
  return json({ '@context': CONTEXT, type: 'FeatureCollection', features });
}
