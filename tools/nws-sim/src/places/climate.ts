import { hash32 } from '../random.ts';

/** Plausible weather of one place and hour, in the units of upstream's raw forecast grid. */
export interface Weather {
  temperatureC: number;
  dewpointC: number;
  humidityPercent: number;
  windKmh: number;
  gustKmh: number;
  windFromDegrees: number;
  skyPercent: number;
  rainPercent: number;
  /** Per hour. */
  rainMm: number;
  thunder: boolean;
  pressurePa: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365.2425 * DAY_MS;

/** Seeded weather, continuous in place and time: seasons and hours of the sun, plus systems of some 400 km and half a day. */
export function weatherAt(seed: number, lat: number, lon: number, at: number): Weather {
  const solarHour = (((at / HOUR_MS + lon / 15) % 24) + 24) % 24;
  const season = Math.cos(((at / YEAR_MS) % 1) * 2 * Math.PI - 0.34) * (lat >= 0 ? -1 : 1);
  const away = Math.min(70, Math.abs(lat));
  // Roughly the yearly mean and swing of North American stations against latitude; the daily swing peaks in mid-afternoon.
  const mean = 29 - 0.012 * away * away;
  const swing = 0.35 * Math.max(0, away - 12);
  const daily = 5.5 * Math.cos(((solarHour - 15) / 24) * 2 * Math.PI);
  const wet = noise(seed, 'wet', lat, lon, at);
  const temperatureC = mean + swing * season + daily * (1.2 - wet) + 8 * (noise(seed, 'mass', lat, lon, at) - 0.5);
  const humidityPercent = Math.round(Math.min(100, Math.max(18, 35 + 60 * wet - 2 * daily)));
  const rainPercent = Math.round(Math.max(0, Math.min(95, (wet - 0.5) * 220)) / 5) * 5;
  const windKmh = 4 + 42 * noise(seed, 'wind', lat, lon, at) ** 2;
  return {
    temperatureC: Math.round(temperatureC * 10) / 10,
    dewpointC: Math.round((temperatureC - (100 - humidityPercent) / 5) * 10) / 10,
    humidityPercent,
    windKmh: Math.round(windKmh * 10) / 10,
    gustKmh: Math.round(windKmh * (1.3 + 0.4 * wet) * 10) / 10,
    windFromDegrees: Math.round((noise(seed, 'turn', lat, lon, at) * 720) % 360),
    skyPercent: Math.round(Math.min(100, wet * 130)),
    rainPercent,
    rainMm: rainPercent > 50 ? Math.round((rainPercent - 50) * 0.8) / 10 : 0,
    thunder: rainPercent > 40 && temperatureC > 17,
    pressurePa: Math.round((101_300 + 1800 * (0.5 - wet)) / 10) * 10,
  };
}

/** Cells of the noise: 4 degrees and 12 hours. */
const CELL_DEGREES = 4;
const CELL_MS = 12 * HOUR_MS;

/** Value noise in [0, 1]: hashes at the corners of a cell, blended smoothly. */
function noise(seed: number, layer: string, lat: number, lon: number, at: number): number {
  const axes = [lat / CELL_DEGREES, lon / CELL_DEGREES, at / CELL_MS];
  const base = axes.map(Math.floor);
  const blend = axes.map((value, axis) => smooth(value - (base[axis] ?? 0)));
  let sum = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const steps = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = steps.reduce((product, step, axis) => product * (step ? (blend[axis] ?? 0) : 1 - (blend[axis] ?? 0)), 1);
    const [y, x, t] = steps.map((step, axis) => (base[axis] ?? 0) + step);
    sum += weight * (hash32(seed, layer, y ?? 0, x ?? 0, t ?? 0) / 4294967296);
  }
  return sum;
}

function smooth(value: number): number {
  return value * value * (3 - 2 * value);
}

/** Words and icon of upstream's forecasts for one state of the sky. */
export function skyWords(weather: Weather, day: boolean): { words: string; icon: string } {
  const time = day ? 'day' : 'night';
  const icon = (name: string): string => `https://api.weather.gov/icons/land/${time}/${name}?size=medium`;
  if (weather.rainPercent >= 15) {
    const odds =
      weather.rainPercent >= 75 ? '' : weather.rainPercent >= 55 ? 'Likely ' : weather.rainPercent >= 30 ? 'Chance ' : 'Slight Chance ';
    const kind =
      weather.temperatureC < 1
        ? ['Snow', 'snow']
        : weather.thunder
          ? ['Showers And Thunderstorms', 'tsra_sct']
          : ['Rain Showers', 'rain_showers'];
    return { words: `${odds}${kind[0] ?? ''}`, icon: icon(`${kind[1] ?? ''},${weather.rainPercent}`) };
  }
  if (weather.skyPercent < 20) return { words: day ? 'Sunny' : 'Clear', icon: icon('skc') };
  if (weather.skyPercent < 45) return { words: day ? 'Mostly Sunny' : 'Mostly Clear', icon: icon('few') };
  if (weather.skyPercent < 65) return { words: day ? 'Partly Sunny' : 'Partly Cloudy', icon: icon('sct') };
  return { words: weather.skyPercent < 85 ? 'Mostly Cloudy' : 'Cloudy', icon: icon(weather.skyPercent < 85 ? 'bkn' : 'ovc') };
}

export function compass(degrees: number): string {
  const names = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW'];
  return names[Math.round(degrees / 22.5) % 16] ?? 'N';
}
