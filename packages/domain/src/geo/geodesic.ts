/** WGS 84 ellipsoid. */
const EQUATOR_KM = 6378.137;
const FLATTENING = 1 / 298.257223563;
const POLE_KM = EQUATOR_KM * (1 - FLATTENING);
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
const RADIANS = Math.PI / 180;

/** Kilometres per degree of longitude and of latitude at a latitude: first terms of the ellipsoid, good for short ways. */
export function degreeLengthsKm(lat: number): { perLon: number; perLat: number } {
  const cosine = Math.cos(lat * RADIANS);
  const squared = 1 / (1 - ECCENTRICITY_SQUARED * (1 - cosine * cosine));
  const root = Math.sqrt(squared);
  const scale = RADIANS * EQUATOR_KM;
  return { perLon: scale * root * cosine, perLat: scale * root * squared * (1 - ECCENTRICITY_SQUARED) };
}

/**
 * Shortest way over the WGS 84 ellipsoid in kilometres (Vincenty's inverse solution, good to millimetres); points almost opposite
 * on the globe, where it does not settle, get the sphere's answer (within 0.6 %).
 */
export function geodesicKm(lonA: number, latA: number, lonB: number, latB: number): number {
  const difference = (((((lonB - lonA + 180) % 360) + 360) % 360) - 180) * RADIANS;
  const reducedA = Math.atan((1 - FLATTENING) * Math.tan(latA * RADIANS));
  const reducedB = Math.atan((1 - FLATTENING) * Math.tan(latB * RADIANS));
  const sinA = Math.sin(reducedA);
  const cosA = Math.cos(reducedA);
  const sinB = Math.sin(reducedB);
  const cosB = Math.cos(reducedB);
  let lambda = difference;
  for (let round = 0; round < 50; round += 1) {
    const sinLambda = Math.sin(lambda);
    const cosLambda = Math.cos(lambda);
    const sinSigma = Math.hypot(cosB * sinLambda, cosA * sinB - sinA * cosB * cosLambda);
    if (sinSigma === 0) return 0;
    const cosSigma = sinA * sinB + cosA * cosB * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cosA * cosB * sinLambda) / sinSigma;
    const cosSqAlpha = 1 - sinAlpha * sinAlpha;
    const cos2Mid = cosSqAlpha === 0 ? 0 : cosSigma - (2 * sinA * sinB) / cosSqAlpha;
    const c = (FLATTENING / 16) * cosSqAlpha * (4 + FLATTENING * (4 - 3 * cosSqAlpha));
    const before = lambda;
    lambda = difference + (1 - c) * FLATTENING * sinAlpha * (sigma + c * sinSigma * (cos2Mid + c * cosSigma * (2 * cos2Mid * cos2Mid - 1)));
    if (Math.abs(lambda - before) < 1e-11) return arcKm(sigma, sinSigma, cosSigma, cosSqAlpha, cos2Mid);
  }
  const half =
    Math.sin(((latB - latA) * RADIANS) / 2) ** 2 + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * Math.sin(difference / 2) ** 2;
  // 6371.0088 km is the IUGG mean radius.
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(half)));
}

function arcKm(sigma: number, sinSigma: number, cosSigma: number, cosSqAlpha: number, cos2Mid: number): number {
  const u = (cosSqAlpha * (EQUATOR_KM ** 2 - POLE_KM ** 2)) / POLE_KM ** 2;
  const a = 1 + (u / 16384) * (4096 + u * (-768 + u * (320 - 175 * u)));
  const b = (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u)));
  const squared = cos2Mid * cos2Mid;
  const inner = cosSigma * (2 * squared - 1) - (b / 6) * cos2Mid * (4 * sinSigma * sinSigma - 3) * (4 * squared - 3);
  return POLE_KM * a * (sigma - b * sinSigma * (cos2Mid + (b / 4) * inner));
}
