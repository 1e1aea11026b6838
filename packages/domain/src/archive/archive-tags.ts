import type { ImpactTags } from '../alert/message.ts';
import { parseTags } from '../alert/parse-tags.ts';
import type { Fields } from './fields.ts';

/** Impact tags of a storm-based warning: the archive's columns read as the CAP parameters they were taken from. */
export function warningTags(fields: Fields, phenomenon: string, event: string): ImpactTags {
  const unit = phenomenon === 'MA' ? 'KTS' : 'MPH';
  const wind = fields.text('windtag');
  const damage = fields.text('damagetag');
  const parameters: Record<string, string | null> = {
    maxWindGust: wind && `${wind} ${unit}`,
    maxHailSize: fields.text('hailtag'),
    windThreat: fields.text('windthreat'),
    hailThreat: fields.text('hailthreat'),
    tornadoDetection: fields.text('tornadotag'),
    tornadoDamageThreat: phenomenon === 'TO' ? damage : null,
    thunderstormDamageThreat: phenomenon === 'SV' ? damage : null,
    flashFloodDetection: fields.text('floodtag_flashflood'),
    flashFloodDamageThreat: fields.text('floodtag_damage'),
    snowSquallImpact: fields.text('squalltag'),
    waterspoutDetection: fields.text('waterspouttag'),
    eventMotionDescription: motionText(fields),
  };
  const tags = parseTags(event, (name) => parameters[name] ?? null);
  return fields.flag('is_emergency') ? withEmergency(tags, phenomenon) : tags;
}

/** Special Weather Statements carry two tags of thunderstorms, in miles per hour and inches. */
export function statementTags(fields: Fields): ImpactTags {
  const wind = fields.text('max_wind_gust');
  const parameters: Record<string, string | null> = {
    maxWindGust: wind && `${wind} MPH`,
    maxHailSize: fields.text('max_hail_size'),
    waterspoutDetection: fields.text('waterspout'),
    eventMotionDescription: motionText(fields),
  };
  return parseTags('Special Weather Statement', (name) => parameters[name] ?? null);
}

export const NO_TAGS: ImpactTags = parseTags('', () => null);

/** Only tornado and flash flood warnings have emergencies. */
export function withEmergency(tags: ImpactTags, phenomenon: string): ImpactTags {
  const emergency = phenomenon === 'TO' ? 'tornado' : phenomenon === 'FF' ? 'flash_flood' : null;
  return emergency === null ? tags : { ...tags, emergency };
}

/** As NWS writes it, so that one reader serves both. The archive's points are a Point or a LineString beside the columns. */
function motionText(fields: Fields): string | null {
  const [at, direction, knots, points] = ['tml_valid', 'tml_direction', 'tml_sknt', 'tml_points'].map((name) => fields.text(name));
  return at && direction && knots && points ? `${at}...storm...${direction}DEG...${knots}KT...${points}` : null;
}

/** `lat,lon lat,lon` of a GeoJSON Point or LineString; null for anything else. */
export function motionPoints(geometry: unknown): string | null {
  const { type, coordinates } = (geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  const list = type === 'Point' ? [coordinates] : type === 'LineString' && Array.isArray(coordinates) ? coordinates : [];
  const pairs = list.slice(0, 50).map((each) => {
    const [lon, lat] = Array.isArray(each) ? (each as unknown[]) : [];
    return typeof lon === 'number' && typeof lat === 'number' ? `${lat},${lon}` : null;
  });
  return pairs.length === 0 || pairs.includes(null) ? null : pairs.join(' ');
}
