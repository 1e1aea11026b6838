import { isoWithOffset } from '../local-time.ts';
import { compass, skyWords, type Weather, weatherAt } from '../places/climate.ts';
import type { Context } from './context.ts';
import { type Cell, middleOf, outlineOf } from './grid.ts';
import { json, POINT_CONTEXT, type Reply } from './reply.ts';

const HOUR_MS = 3_600_000;
/** Upstream's hourly forecast has 156 hours, the daily one 14 half days. */
const HOURS = 156;
const HALF_DAYS = 14;

function at(context: Context, cell: Cell, instant: number): Weather {
  const [lon, lat] = middleOf(cell);
  return weatherAt(context.weather.seed, lat, lon, instant);
}

function frame(context: Context, cell: Cell): { updated: number; shared: Record<string, unknown> } {
  // The grid is renewed on the hour.
  const updated = Math.floor(context.now / HOUR_MS) * HOUR_MS;
  const iso = isoWithOffset(updated, 0);
  return {
    updated,
    shared: {
      updateTime: iso,
      validTimes: `${iso}/P7DT12H`,
      elevation: { unitCode: 'wmoUnit:m', value: 100 + ((cell.x * 7 + cell.y * 13) % 900) },
    },
  };
}

/** Twelve-hour or hourly periods in US units (SI with `units=si`). */
export function gridForecast(context: Context, cell: Cell, hourly: boolean): Reply {
  const { updated, shared } = frame(context, cell);
  const si = context.query.get('units') === 'si';
  const spans = hourly ? hours(updated) : halfDays(context, cell, updated);
  const periods = spans.map((span, index) => ({ number: index + 1, ...period(context, cell, span, si) }));
  const properties = {
    units: si ? 'si' : 'us',
    forecastGenerator: hourly ? 'HourlyForecastGenerator' : 'BaselineForecastGenerator',
    generatedAt: isoWithOffset(Math.floor(context.now / 1000) * 1000, 0),
    ...shared,
    periods,
  };
  return json({ '@context': POINT_CONTEXT, type: 'Feature', geometry: { type: 'Polygon', coordinates: [outlineOf(cell)] }, properties });
}

interface Span {
  name: string;
  from: number;
  to: number;
  day: boolean;
}

function hours(updated: number): Span[] {
  return Array.from({ length: HOURS }, (_, hour) => ({
    name: '',
    from: updated + hour * HOUR_MS,
    to: updated + (hour + 1) * HOUR_MS,
    day: true,
  }));
}

/** Six to six, local time; the first one is the rest of the running half day. */
function halfDays(context: Context, cell: Cell, updated: number): Span[] {
  const localHour = Number(context.weather.times.iso(updated, cell.office.timeZone).slice(11, 13));
  const isDay = localHour >= 6 && localHour < 18;
  let from = updated;
  let to = updated + ((isDay ? 18 : localHour < 6 ? 6 : 30) - localHour) * HOUR_MS;
  return Array.from({ length: HALF_DAYS }, (_, index) => {
    const day = index % 2 === 0 ? isDay : !isDay;
    const span = { name: nameOf(context, cell, from, index, day), from, to, day };
    from = to;
    to += 12 * HOUR_MS;
    return span;
  });
}

function nameOf(context: Context, cell: Cell, from: number, index: number, day: boolean): string {
  if (index === 0) return day ? 'Today' : 'Tonight';
  const weekday = context.weather.times.terse(from, cell.office.timeZone).split(' ').at(-1) ?? '';
  return day ? weekday : `${weekday} Night`;
}

function period(context: Context, cell: Cell, span: Span, si: boolean): Record<string, unknown> {
  const { times } = context.weather;
  const { timeZone } = cell.office;
  const localHour = Number(times.iso(span.from, timeZone).slice(11, 13));
  const day = span.name === '' ? localHour >= 6 && localHour < 18 : span.day;
  // A day's figure is its afternoon, a night's its end: where high and low fall.
  const moment = span.name === '' ? span.from : span.day ? Math.min(span.to, span.from + 9 * HOUR_MS) : span.to - HOUR_MS;
  const weather = at(context, cell, moment);
  const temperature = Math.round(si ? weather.temperatureC : (weather.temperatureC * 9) / 5 + 32);
  const wind = Math.round((si ? weather.windKmh : weather.windKmh / 1.609344) / 5) * 5;
  const windText = `${Math.max(5, wind)} ${si ? 'km/h' : 'mph'}`;
  const sky = skyWords(weather, day);
  const detail = `${sky.words}. ${day ? 'High' : 'Low'} near ${temperature}. ${compass(weather.windFromDegrees)} wind ${windText}.${weather.rainPercent > 0 ? ` Chance of precipitation is ${weather.rainPercent}%.` : ''} Simulated.`;
  return {
    name: span.name,
    startTime: times.iso(span.from, timeZone),
    endTime: times.iso(span.to, timeZone),
    isDaytime: day,
    temperature,
    temperatureUnit: si ? 'C' : 'F',
    temperatureTrend: null,
    probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: weather.rainPercent },
    dewpoint: { unitCode: 'wmoUnit:degC', value: weather.dewpointC },
    relativeHumidity: { unitCode: 'wmoUnit:percent', value: weather.humidityPercent },
    windSpeed: windText,
    windDirection: compass(weather.windFromDegrees),
    icon: sky.icon,
    shortForecast: sky.words,
    detailedForecast: span.name === '' ? '' : detail,
  };
}

// Layers of the raw grid we fill, with upstream's unit names.
const LAYERS: [name: string, unit: string, read: (weather: Weather) => number | null][] = [
  ['temperature', 'wmoUnit:degC', (weather) => weather.temperatureC],
  ['dewpoint', 'wmoUnit:degC', (weather) => weather.dewpointC],
  ['apparentTemperature', 'wmoUnit:degC', (weather) => weather.temperatureC],
  ['relativeHumidity', 'wmoUnit:percent', (weather) => weather.humidityPercent],
  ['skyCover', 'wmoUnit:percent', (weather) => weather.skyPercent],
  ['windDirection', 'wmoUnit:degree_(angle)', (weather) => weather.windFromDegrees],
  ['windSpeed', 'wmoUnit:km_h-1', (weather) => weather.windKmh],
  ['windGust', 'wmoUnit:km_h-1', (weather) => weather.gustKmh],
  ['probabilityOfPrecipitation', 'wmoUnit:percent', (weather) => weather.rainPercent],
  ['quantitativePrecipitation', 'wmoUnit:mm', (weather) => weather.rainMm],
  ['snowfallAmount', 'wmoUnit:mm', (weather) => (weather.temperatureC < 1 ? weather.rainMm * 10 : 0)],
  ['pressure', 'wmoUnit:Pa', () => null],
];

/** The raw grid: one value per hour for the layers above, the rest of upstream's layers empty or absent. */
export function gridRaw(context: Context, cell: Cell): Reply {
  const { updated, shared } = frame(context, cell);
  const hourly = hours(updated).map((span) => ({
    validTime: `${isoWithOffset(span.from, 0)}/PT1H`,
    weather: at(context, cell, span.from),
  }));
  const layers = LAYERS.map(([name, uom, read]) => [
    name,
    { uom, values: hourly.map(({ validTime, weather }) => ({ validTime, value: read(weather) })) },
  ]);
  const url = `${context.baseUrl}/gridpoints/${cell.office.id}/${cell.x},${cell.y}`;
  const properties = {
    '@id': url,
    '@type': 'wx:Gridpoint',
    ...shared,
    forecastOffice: `https://api.weather.gov/offices/${cell.office.id}`,
    gridId: cell.office.id,
    gridX: String(cell.x),
    gridY: String(cell.y),
    ...Object.fromEntries(layers),
    weather: { values: [] },
    hazards: { values: [] },
    snowLevel: { values: [] },
    waveHeight: { values: [] },
  };
  return json({
    '@context': POINT_CONTEXT,
    id: url,
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [outlineOf(cell)] },
    properties,
  });
}
