/** One built-in city: facts as the US Census counted them in 2020 (population) and GeoNames places them. */
export interface BuiltinPlace {
  name: string;
  state: string;
  lat: number;
  lon: number;
  population: number;
  isCapital?: true;
}

type Row = readonly [name: string, state: string, lat: number, lon: number, population: number, isCapital?: true];

/** North Carolina, largest first, with some that stand for its coast and mountains. */
const NORTH_CAROLINA: readonly Row[] = [
  ['Charlotte', 'NC', 35.2271, -80.8431, 874_579],
  ['Raleigh', 'NC', 35.78, -78.64, 467_665, true],
  ['Greensboro', 'NC', 36.0726, -79.792, 299_035],
  ['Durham', 'NC', 35.994, -78.8986, 283_506],
  ['Winston-Salem', 'NC', 36.0999, -80.2442, 249_545],
  ['Fayetteville', 'NC', 35.0527, -78.8784, 208_501],
  ['Cary', 'NC', 35.7915, -78.7811, 174_721],
  ['Wilmington', 'NC', 34.2257, -77.9447, 115_451],
  ['High Point', 'NC', 35.9557, -80.0053, 114_059],
  ['Concord', 'NC', 35.4088, -80.5795, 105_240],
  ['Asheville', 'NC', 35.5951, -82.5515, 94_589],
  ['Greenville', 'NC', 35.6127, -77.3664, 87_521],
  ['Gastonia', 'NC', 35.2621, -81.1873, 80_411],
  ['Jacksonville', 'NC', 34.7541, -77.4302, 72_723],
  ['Chapel Hill', 'NC', 35.9132, -79.0558, 61_960],
  ['Rocky Mount', 'NC', 35.9382, -77.7905, 54_341],
  ['Hickory', 'NC', 35.7331, -81.3412, 43_490],
  ['New Bern', 'NC', 35.1085, -77.0441, 31_291],
  ['Boone', 'NC', 36.2168, -81.6746, 19_092],
  ['Elizabeth City', 'NC', 36.2946, -76.2511, 18_631],
];

/** Large cities everywhere else, and Honolulu, Anchorage and San Juan for where the map does not end. */
const MAJOR: readonly Row[] = [
  ['New York', 'NY', 40.7128, -74.006, 8_804_190],
  ['Los Angeles', 'CA', 34.0522, -118.2437, 3_898_747],
  ['Chicago', 'IL', 41.8781, -87.6298, 2_746_388],
  ['Houston', 'TX', 29.7604, -95.3698, 2_304_580],
  ['Phoenix', 'AZ', 33.4484, -112.074, 1_608_139, true],
  ['Philadelphia', 'PA', 39.9526, -75.1652, 1_603_797],
  ['San Antonio', 'TX', 29.4241, -98.4936, 1_434_625],
  ['San Diego', 'CA', 32.7157, -117.1611, 1_386_932],
  ['Dallas', 'TX', 32.7767, -96.797, 1_304_379],
  ['San Jose', 'CA', 37.3382, -121.8863, 1_013_240],
  ['Austin', 'TX', 30.2672, -97.7431, 961_855, true],
  ['Jacksonville', 'FL', 30.3322, -81.6557, 949_611],
  ['Columbus', 'OH', 39.9612, -82.9988, 905_748, true],
  ['Indianapolis', 'IN', 39.7684, -86.1581, 887_642, true],
  ['San Francisco', 'CA', 37.7749, -122.4194, 873_965],
  ['Seattle', 'WA', 47.6062, -122.3321, 737_015],
  ['Denver', 'CO', 39.7392, -104.9903, 715_522, true],
  ['Washington', 'DC', 38.9072, -77.0369, 689_545, true],
  ['Nashville', 'TN', 36.1627, -86.7816, 689_447, true],
  ['Oklahoma City', 'OK', 35.4676, -97.5164, 681_054, true],
  ['Boston', 'MA', 42.3601, -71.0589, 675_647, true],
  ['Portland', 'OR', 45.5152, -122.6784, 652_503],
  ['Las Vegas', 'NV', 36.1699, -115.1398, 641_903],
  ['Detroit', 'MI', 42.3314, -83.0458, 639_111],
  ['Memphis', 'TN', 35.1495, -90.049, 633_104],
  ['Baltimore', 'MD', 39.2904, -76.6122, 585_708],
  ['Albuquerque', 'NM', 35.0844, -106.6504, 564_559],
  ['Kansas City', 'MO', 39.0997, -94.5786, 508_090],
  ['Atlanta', 'GA', 33.749, -84.388, 498_715, true],
  ['Miami', 'FL', 25.7617, -80.1918, 442_241],
  ['Minneapolis', 'MN', 44.9778, -93.265, 429_954],
  ['New Orleans', 'LA', 29.9511, -90.0715, 383_997],
  ['St. Louis', 'MO', 38.627, -90.1994, 301_578],
  ['Honolulu', 'HI', 21.3069, -157.8583, 350_964, true],
  ['Anchorage', 'AK', 61.2181, -149.9003, 291_247],
  ['San Juan', 'PR', 18.4655, -66.1057, 342_259, true],
];

const read = (rows: readonly Row[]): BuiltinPlace[] =>
  rows.map(([name, state, lat, lon, population, isCapital]) => ({ name, state, lat, lon, population, ...(isCapital && { isCapital }) }));

/** Groups of the city selector, in its order. */
export const BUILTIN_GROUPS: readonly { key: 'north_carolina' | 'major'; title: string; places: readonly BuiltinPlace[] }[] = [
  { key: 'north_carolina', title: 'North Carolina', places: read(NORTH_CAROLINA) },
  { key: 'major', title: 'Major cities', places: read(MAJOR) },
];

/** Where a picker stands when nobody chose. */
export const DEFAULT_BUILTIN = { name: 'Raleigh', state: 'NC' } as const;
