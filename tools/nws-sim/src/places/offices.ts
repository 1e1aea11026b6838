import type { Position } from '@nwms/domain/geo/shape';

export type Region = 'lower48' | 'alaska' | 'hawaii' | 'marianas' | 'samoa' | 'caribbean';

/** A Weather Forecast Office. */
export interface Office {
  /** Three letters, e.g. DMX. */
  id: string;
  /** Four letters of VTEC, e.g. KDMX. */
  icao: string;
  /** As in `senderName` after "NWS ". */
  name: string;
  position: Position;
  timeZone: string;
  region: Region;
}

// Offices of the conterminous states: id, name as NWS signs it, latitude and longitude in degrees (rounded), IANA zone by letter.
const LOWER_48 = `
ABQ|Albuquerque NM|35.0|-106.6|M
ABR|Aberdeen SD|45.5|-98.4|C
AKQ|Wakefield VA|37.0|-77.0|E
ALY|Albany NY|42.7|-73.8|E
AMA|Amarillo TX|35.2|-101.7|C
APX|Gaylord MI|44.9|-84.7|E
ARX|La Crosse WI|43.8|-91.2|C
BGM|Binghamton NY|42.2|-76.0|E
BIS|Bismarck ND|46.8|-100.8|C
BMX|Birmingham AL|33.2|-86.8|C
BOI|Boise ID|43.6|-116.2|M
BOU|Denver CO|40.0|-105.3|M
BOX|Boston/Norton MA|42.0|-71.1|E
BRO|Brownsville TX|25.9|-97.4|C
BTV|Burlington VT|44.5|-73.2|E
BUF|Buffalo NY|42.9|-78.7|E
BYZ|Billings MT|45.8|-108.6|M
CAE|Columbia SC|34.0|-81.1|E
CAR|Caribou ME|46.9|-68.0|E
CHS|Charleston SC|32.9|-80.0|E
CLE|Cleveland OH|41.4|-81.9|E
CRP|Corpus Christi TX|27.8|-97.5|C
CTP|State College PA|40.8|-77.9|E
CYS|Cheyenne WY|41.2|-104.8|M
DDC|Dodge City KS|37.8|-100.0|C
DLH|Duluth MN|46.8|-92.2|C
DMX|Des Moines IA|41.7|-93.7|C
DTX|Detroit/Pontiac MI|42.7|-83.5|E
DVN|Quad Cities IA IL|41.6|-90.6|C
EAX|Kansas City/Pleasant Hill MO|38.8|-94.3|C
EKA|Eureka CA|40.8|-124.2|P
EPZ|El Paso Tx/Santa Teresa NM|31.9|-106.7|M
EWX|Austin/San Antonio TX|29.7|-98.0|C
FFC|Peachtree City GA|33.4|-84.6|E
FGF|Grand Forks ND|47.9|-97.1|C
FGZ|Flagstaff AZ|35.2|-111.8|A
FSD|Sioux Falls SD|43.6|-96.7|C
FWD|Fort Worth TX|32.8|-97.3|C
GGW|Glasgow MT|48.2|-106.6|M
GID|Hastings NE|40.7|-98.4|C
GJT|Grand Junction CO|39.1|-108.5|M
GLD|Goodland KS|39.4|-101.7|M
GRB|Green Bay WI|44.5|-88.1|C
GRR|Grand Rapids MI|42.9|-85.5|E
GSP|Greenville-Spartanburg SC|34.9|-82.2|E
GYX|Gray ME|43.9|-70.3|E
HGX|Houston/Galveston TX|29.5|-95.1|C
HNX|Hanford CA|36.3|-119.6|P
HUN|Huntsville AL|34.7|-86.7|C
ICT|Wichita KS|37.7|-97.4|C
ILM|Wilmington NC|34.3|-77.9|E
ILN|Wilmington OH|39.4|-83.8|E
ILX|Lincoln IL|40.2|-89.3|C
IND|Indianapolis IN|39.7|-86.3|E
IWX|Northern Indiana|41.4|-85.7|E
JAN|Jackson MS|32.3|-90.1|C
JAX|Jacksonville FL|30.5|-81.7|E
JKL|Jackson KY|37.6|-83.3|E
KEY|Key West FL|24.6|-81.8|E
LBF|North Platte NE|41.1|-100.7|C
LCH|Lake Charles LA|30.1|-93.2|C
LIX|New Orleans LA|30.3|-89.8|C
LKN|Elko NV|40.9|-115.7|P
LMK|Louisville KY|38.1|-85.7|E
LOT|Chicago IL|41.6|-88.1|C
LOX|Los Angeles/Oxnard CA|34.2|-119.1|P
LSX|St Louis MO|38.7|-90.7|C
LUB|Lubbock TX|33.5|-101.9|C
LWX|Baltimore MD/Washington DC|39.0|-77.5|E
LZK|Little Rock AR|34.8|-92.3|C
MAF|Midland/Odessa TX|31.9|-102.2|C
MEG|Memphis TN|35.1|-90.0|C
MFL|Miami FL|25.8|-80.4|E
MFR|Medford OR|42.4|-122.9|P
MHX|Newport/Morehead City NC|34.8|-76.9|E
MKX|Milwaukee/Sullivan WI|43.0|-88.6|C
MLB|Melbourne FL|28.1|-80.7|E
MOB|Mobile AL|30.7|-88.2|C
MPX|Twin Cities/Chanhassen MN|44.9|-93.6|C
MQT|Marquette MI|46.5|-87.6|E
MRX|Morristown TN|36.2|-83.4|E
MSO|Missoula MT|46.9|-114.1|M
MTR|San Francisco CA|37.0|-122.0|P
OAX|Omaha/Valley NE|41.3|-96.4|C
OHX|Nashville TN|36.3|-86.6|C
OKX|Upton NY|40.9|-72.9|E
OTX|Spokane WA|47.7|-117.6|P
OUN|Norman OK|35.2|-97.4|C
PAH|Paducah KY|37.1|-88.8|C
PBZ|Pittsburgh PA|40.5|-80.2|E
PDT|Pendleton OR|45.7|-118.9|P
PHI|Mount Holly NJ|40.0|-74.8|E
PIH|Pocatello ID|42.9|-112.6|M
PQR|Portland OR|45.6|-122.5|P
PSR|Phoenix AZ|33.4|-112.0|A
PUB|Pueblo CO|38.3|-104.5|M
RAH|Raleigh NC|35.8|-78.7|E
REV|Reno NV|39.6|-119.8|P
RIW|Riverton WY|43.1|-108.5|M
RLX|Charleston WV|38.3|-81.7|E
RNK|Blacksburg VA|37.2|-80.4|E
SEW|Seattle WA|47.7|-122.3|P
SGF|Springfield MO|37.2|-93.4|C
SGX|San Diego CA|32.9|-117.1|P
SHV|Shreveport LA|32.5|-93.8|C
SJT|San Angelo TX|31.4|-100.5|C
SLC|Salt Lake City UT|40.8|-112.0|M
STO|Sacramento CA|38.7|-121.5|P
TAE|Tallahassee FL|30.5|-84.3|E
TBW|Tampa Bay Ruskin FL|27.7|-82.4|E
TFX|Great Falls MT|47.5|-111.4|M
TOP|Topeka KS|39.1|-95.6|C
TSA|Tulsa OK|36.2|-95.9|C
TWC|Tucson AZ|32.2|-111.0|A
UNR|Rapid City SD|44.1|-103.2|M
VEF|Las Vegas NV|36.1|-115.2|P`;

const ZONE_BY_LETTER: Readonly<Record<string, string>> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  A: 'America/Phoenix',
  P: 'America/Los_Angeles',
};

// Offices outside the conterminous states; Pago Pago signs its VTEC as NSTU, San Juan as TJSJ.
const BEYOND: Office[] = [
  { id: 'AFC', icao: 'PAFC', name: 'Anchorage AK', position: [-150, 61.2], timeZone: 'America/Anchorage', region: 'alaska' },
  { id: 'AFG', icao: 'PAFG', name: 'Fairbanks AK', position: [-147.8, 64.9], timeZone: 'America/Anchorage', region: 'alaska' },
  { id: 'AJK', icao: 'PAJK', name: 'Juneau AK', position: [-134.6, 58.4], timeZone: 'America/Juneau', region: 'alaska' },
  { id: 'HFO', icao: 'PHFO', name: 'Honolulu HI', position: [-157.9, 21.3], timeZone: 'Pacific/Honolulu', region: 'hawaii' },
  { id: 'GUM', icao: 'PGUM', name: 'Tiyan GU', position: [144.8, 13.5], timeZone: 'Pacific/Guam', region: 'marianas' },
  { id: 'PPG', icao: 'NSTU', name: 'Pago Pago AS', position: [-170.7, -14.3], timeZone: 'Pacific/Pago_Pago', region: 'samoa' },
  { id: 'JSJ', icao: 'TJSJ', name: 'San Juan PR', position: [-66, 18.4], timeZone: 'America/Puerto_Rico', region: 'caribbean' },
];

/** Every office of the simulator, in a fixed order. */
export function listOffices(): Office[] {
  const mainland = LOWER_48.trim()
    .split('\n')
    .map((line): Office => {
      const [id = '', name = '', lat = '', lon = '', letter = ''] = line.split('|');
      const timeZone = ZONE_BY_LETTER[letter] ?? 'America/Chicago';
      return { id, icao: `K${id}`, name, position: [Number(lon), Number(lat)], timeZone, region: 'lower48' };
    });
  return [...mainland, ...BEYOND];
}

const REGION_BY_STATE: Readonly<Record<string, Region>> = {
  AK: 'alaska',
  HI: 'hawaii',
  GU: 'marianas',
  MP: 'marianas',
  AS: 'samoa',
  PR: 'caribbean',
  VI: 'caribbean',
};

/** Which offices can be responsible for a state. */
export function regionOf(state: string): Region {
  return REGION_BY_STATE[state] ?? 'lower48';
}
