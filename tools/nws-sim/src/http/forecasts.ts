import type { Position } from '@nwms/domain/geo/shape';

import { distanceKm } from '../places/geometry.ts';
import type { Context } from './context.ts';
import { gridForecast, gridRaw } from './gridpoints.ts';
import { cellOf, middleOf, officeById } from './grid.ts';
import { json, POINT_CONTEXT, problem, type Reply } from './reply.ts';
import { latestObservation, observations, station, stationsAround } from './stations.ts';

/** Answers under `/points`, `/gridpoints` and `/stations`; undefined when the path is none of them. */
export function answerForecasts(context: Context): Reply | undefined {
  const [root, second, third, fourth, fifth, ...rest] = context.segments;
  if (second === undefined || rest.length > 0) return undefined;
  if (root === 'points' && third === undefined) return point(context, second);
  if (root === 'gridpoints' && third !== undefined) return gridpoint(context, second, third, fourth, fifth);
  if (root !== 'stations') return undefined;
  if (third === undefined) return station(context, second);
  if (third !== 'observations' || fifth !== undefined) return undefined;
  if (fourth === undefined) return observations(context, second);
  return fourth === 'latest' ? latestObservation(context, second) : undefined;
}

/** Places and their grid; more than four decimals are a redirect to four, as upstream does (trap 26). */
function point(context: Context, text: string): Reply {
  const match = /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text);
  const [lat, lon] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || Math.abs(lat) > 90 || Math.abs(lon) > 180) {
    const parameterErrors = [{ parameter: 'path.point', message: 'Does not match the pattern of a point' }];
    return problem(
      400,
      'Invalid Parameter',
      `Parameter "point" is invalid: '${text}' does not appear to be a valid coordinate`,
      context.correlationId,
      { parameterErrors },
    );
  }
  const tidy = `${trimmed(lat)},${trimmed(lon)}`;
  if (tidy !== text) {
    const reply = problem(
      301,
      'Adjusting Precision Of Point Coordinate',
      'The precision of latitude/longitude points is limited to 4 decimal digits.',
      context.correlationId,
    );
    return { ...reply, headers: { ...reply.headers, location: `/points/${tidy}` } };
  }
  const position: Position = [lon, lat];
  const place = context.feed.zonesAt(position);
  const office = place && officeById(place.office.id);
  if (!place || !office)
    return problem(
      404,
      'Data Unavailable For Requested Point',
      `Unable to provide data for requested point ${tidy}`,
      context.correlationId,
    );
  const { x, y } = cellOf(office, position);
  const grid = `${context.baseUrl}/gridpoints/${office.id}/${x},${y}`;
  const properties = {
    '@id': `${context.baseUrl}/points/${tidy}`,
    '@type': 'wx:Point',
    cwa: office.id,
    type: 'land',
    forecastOffice: `https://api.weather.gov/offices/${office.id}`,
    gridId: office.id,
    gridX: x,
    gridY: y,
    forecast: `${grid}/forecast`,
    forecastHourly: `${grid}/forecast/hourly`,
    forecastGridData: grid,
    observationStations: `${grid}/stations`,
    relativeLocation: {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: place.center },
      properties: {
        city: place.name,
        state: place.state,
        distance: { unitCode: 'wmoUnit:m', value: Math.round(distanceKm(place.center, position) * 1000) },
        bearing: { unitCode: 'wmoUnit:degree_(angle)', value: null },
      },
    },
    forecastZone: `https://api.weather.gov/zones/forecast/${place.forecast}`,
    county: `https://api.weather.gov/zones/county/${place.county}`,
    fireWeatherZone: `https://api.weather.gov/zones/fire/${place.fire}`,
    timeZone: office.timeZone,
    radarStation: office.icao,
  };
  return json({
    '@context': POINT_CONTEXT,
    id: properties['@id'],
    type: 'Feature',
    geometry: { type: 'Point', coordinates: position },
    properties,
  });
}

/** At most four decimals and no zeros at the end. */
function trimmed(value: number): string {
  return String(Math.round(value * 1e4) / 1e4);
}

function gridpoint(
  context: Context,
  officeId: string,
  place: string,
  what: string | undefined,
  detail: string | undefined,
): Reply | undefined {
  const match = /^(\d{1,3}),(\d{1,3})$/.exec(place);
  const office = officeById(officeId);
  const cell = office && match && { office, x: Number(match[1]), y: Number(match[2]) };
  if (!cell || !context.feed.zonesAt(middleOf(cell))) {
    return problem(404, 'Invalid Gridpoint', `Forecast grid ${officeId}/${place} has no data`, context.correlationId);
  }
  if (what === undefined) return gridRaw(context, cell);
  if (what === 'stations' && detail === undefined) return stationsAround(context, cell);
  if (what === 'forecast' && (detail === undefined || detail === 'hourly')) return gridForecast(context, cell, detail === 'hourly');
  return undefined;
}
