import type { Position } from '@nwms/domain/geo/shape';

import { isoWithOffset } from '../local-time.ts';
import { compass, skyWords, weatherAt } from '../places/climate.ts';
import { moved, roughCenter } from '../places/geometry.ts';
import type { Context } from './context.ts';
import { type Cell, middleOf } from './grid.ts';
import { json, POINT_CONTEXT, problem, type Reply } from './reply.ts';

// Every county has one made-up station in its middle, named S + county code: SIAC153.

const HOUR_MS = 3_600_000;
/** Routine reports come at minute 51. */
const REPORT_MINUTE_MS = 51 * 60_000;

interface Station {
  id: string;
  ugc: string;
  name: string;
  position: Position;
  timeZone: string | null;
}

function find(context: Context, id: string): Station | undefined {
  const ugc = /^S([A-Z]{2}C\d{3})$/.exec(id)?.[1];
  const county = ugc === undefined ? undefined : context.feed.zone('county', ugc);
  if (!ugc || !county?.geometry) return undefined;
  const [lon, lat] = roughCenter(county.geometry);
  const position: Position = [Math.round(lon * 1e4) / 1e4, Math.round(lat * 1e4) / 1e4];
  return { id, ugc, position, name: `${county.properties.name} (simulated)`, timeZone: county.properties.timeZone[0] ?? null };
}

function stationFeature(context: Context, found: Station): Record<string, unknown> {
  const url = `${context.baseUrl}/stations/${found.id}`;
  const properties = {
    '@id': url,
    '@type': 'wx:ObservationStation',
    elevation: { unitCode: 'wmoUnit:m', value: 250 },
    stationIdentifier: found.id,
    name: found.name,
    timeZone: found.timeZone,
    county: `https://api.weather.gov/zones/county/${found.ugc}`,
  };
  return { id: url, type: 'Feature', geometry: { type: 'Point', coordinates: found.position }, properties };
}

/** Stations of the cell's county and of the counties 45 km around, nearest first. */
export function stationsAround(context: Context, cell: Cell): Reply {
  const middle = middleOf(cell);
  const places = [middle, ...[0, 60, 120, 180, 240, 300].map((bearing) => moved(middle, bearing, 45))];
  const ids = new Set(places.flatMap((place) => context.feed.zonesAt(place)?.county ?? []));
  const features = [...ids].flatMap((ugc) => find(context, `S${ugc}`) ?? []).map((found) => stationFeature(context, found));
  return json({ '@context': POINT_CONTEXT, type: 'FeatureCollection', features, observationStations: features.map((item) => item['id']) });
}

function unknown(context: Context, id: string): Reply {
  return problem(404, 'Not Found', `No station ${id}`, context.correlationId);
}

export function station(context: Context, id: string): Reply {
  const found = find(context, id);
  return found ? json({ '@context': POINT_CONTEXT, ...stationFeature(context, found) }) : unknown(context, id);
}

export function latestObservation(context: Context, id: string): Reply {
  const found = find(context, id);
  return found ? json({ '@context': POINT_CONTEXT, ...observation(context, found, lastReport(context)) }) : unknown(context, id);
}

/** Hourly reports, newest first; `limit` defaults to a day. */
export function observations(context: Context, id: string): Reply {
  const found = find(context, id);
  if (!found) return unknown(context, id);
  const limit = Math.min(500, Math.max(1, Number(context.query.get('limit')) || 24));
  const last = lastReport(context);
  const features = Array.from({ length: limit }, (_, index) => observation(context, found, last - index * HOUR_MS));
  return json({ '@context': POINT_CONTEXT, type: 'FeatureCollection', features });
}

function lastReport(context: Context): number {
  return Math.floor((context.now - REPORT_MINUTE_MS) / HOUR_MS) * HOUR_MS + REPORT_MINUTE_MS;
}

function observation(context: Context, found: Station, at: number): Record<string, unknown> {
  const [lon, lat] = found.position;
  const weather = weatherAt(context.weather.seed, lat, lon, at);
  const solarHour = (((at / HOUR_MS + lon / 15) % 24) + 24) % 24;
  const sky = skyWords(weather, solarHour > 6 && solarHour < 18);
  const value = (unit: string, amount: number | null): Record<string, unknown> => ({
    unitCode: `wmoUnit:${unit}`,
    value: amount,
    qualityControl: amount === null ? 'Z' : 'V',
  });
  const url = `${context.baseUrl}/stations/${found.id}/observations/${isoWithOffset(at, 0)}`;
  const properties = {
    '@id': url,
    '@type': 'wx:ObservationStation',
    elevation: { unitCode: 'wmoUnit:m', value: 250 },
    station: `${context.baseUrl}/stations/${found.id}`,
    stationId: found.id,
    stationName: found.name,
    timestamp: isoWithOffset(at, 0),
    rawMessage: '',
    textDescription: `${sky.words}, wind from ${compass(weather.windFromDegrees)}`,
    icon: sky.icon,
    presentWeather: [],
    temperature: value('degC', weather.temperatureC),
    dewpoint: value('degC', weather.dewpointC),
    windDirection: value('degree_(angle)', weather.windFromDegrees),
    windSpeed: value('km_h-1', weather.windKmh),
    windGust: value('km_h-1', weather.gustKmh > 35 ? weather.gustKmh : null),
    barometricPressure: value('Pa', weather.pressurePa),
    seaLevelPressure: value('Pa', weather.pressurePa),
    visibility: value('m', weather.rainPercent > 60 ? 4830 : 16_090),
    maxTemperatureLast24Hours: { unitCode: 'wmoUnit:degC', value: null },
    minTemperatureLast24Hours: { unitCode: 'wmoUnit:degC', value: null },
    precipitationLastHour: value('mm', weather.rainMm),
    relativeHumidity: value('percent', weather.humidityPercent),
    windChill: value('degC', null),
    heatIndex: value('degC', null),
    cloudLayers: [],
  };
  return { id: url, type: 'Feature', geometry: { type: 'Point', coordinates: found.position }, properties };
}
