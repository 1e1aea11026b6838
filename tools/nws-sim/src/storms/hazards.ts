import type { Hazard } from './model.ts';

type Row = [
  phenomenon: string,
  significance: string,
  event: string,
  same: string,
  traits: string,
  awips: string,
  wmo: string,
  what: string,
  impacts: string,
];

// Severity, certainty, urgency, response as NWS gives them to these events in CAP (read off real messages).
const TRAITS: Readonly<Record<string, [string, string, string, string]>> = {
  tornado: ['Extreme', 'Observed', 'Immediate', 'Shelter'],
  storm: ['Severe', 'Observed', 'Immediate', 'Shelter'],
  flash: ['Severe', 'Likely', 'Immediate', 'Avoid'],
  marine: ['Severe', 'Likely', 'Expected', 'Avoid'],
  craft: ['Minor', 'Likely', 'Expected', 'Avoid'],
  watch: ['Severe', 'Possible', 'Future', 'Prepare'],
  bigWatch: ['Extreme', 'Possible', 'Future', 'Monitor'],
  warning: ['Severe', 'Likely', 'Expected', 'Prepare'],
  blizzard: ['Extreme', 'Likely', 'Expected', 'Prepare'],
  hurricane: ['Extreme', 'Likely', 'Expected', 'Prepare'],
  advisory: ['Moderate', 'Likely', 'Expected', 'Execute'],
  minor: ['Minor', 'Likely', 'Expected', 'Execute'],
  statement: ['Moderate', 'Observed', 'Expected', 'Execute'],
  unknown: ['Unknown', 'Unknown', 'Unknown', 'Monitor'],
  civil: ['Severe', 'Observed', 'Immediate', 'Monitor'],
};

const ROWS: Row[] = [
  ['TO', 'W', 'Tornado Warning', 'TOR', 'tornado', 'TOR', 'WFUS5', 'Tornado.', 'Flying debris is dangerous to anyone without shelter.'],
  [
    'SV',
    'W',
    'Severe Thunderstorm Warning',
    'SVR',
    'storm',
    'SVR',
    'WUUS5',
    'Damaging wind and hail.',
    'Damage to roofs, siding and trees is likely.',
  ],
  [
    'FF',
    'W',
    'Flash Flood Warning',
    'FFW',
    'flash',
    'FFW',
    'WGUS5',
    'Flash flooding.',
    'Small creeks, streams and underpasses flood quickly.',
  ],
  ['MA', 'W', 'Special Marine Warning', 'SMW', 'storm', 'SMW', 'WHUS5', 'Gusts of 34 knots or more.', 'Boaters can be thrown overboard.'],
  ['TO', 'A', 'Tornado Watch', 'TOA', 'bigWatch', 'WCN', 'WWUS6', 'Tornadoes are possible.', 'Conditions favour several tornadoes.'],
  [
    'SV',
    'A',
    'Severe Thunderstorm Watch',
    'SVA',
    'watch',
    'WCN',
    'WWUS6',
    'Severe thunderstorms are possible.',
    'Conditions favour damaging wind and hail.',
  ],
  ['WS', 'A', 'Winter Storm Watch', 'WSA', 'watch', 'WSW', 'WWUS4', 'Heavy snow is possible.', 'Travel could be very difficult.'],
  ['WS', 'W', 'Winter Storm Warning', 'WSW', 'warning', 'WSW', 'WWUS4', 'Heavy snow of 6 to 11 inches.', 'Travel will be very difficult.'],
  ['WW', 'Y', 'Winter Weather Advisory', 'NWS', 'advisory', 'WSW', 'WWUS4', 'Snow of 2 to 4 inches.', 'Slippery roads are likely.'],
  ['BZ', 'W', 'Blizzard Warning', 'BZW', 'blizzard', 'WSW', 'WWUS4', 'Blizzard conditions.', 'Whiteouts make travel life threatening.'],
  [
    'LE',
    'W',
    'Lake Effect Snow Warning',
    'NWS',
    'warning',
    'WSW',
    'WWUS4',
    'Heavy lake effect snow.',
    'Snow rates may pass 2 inches an hour.',
  ],
  [
    'CW',
    'Y',
    'Cold Weather Advisory',
    'NWS',
    'advisory',
    'WSW',
    'WWUS4',
    'Very cold wind chills.',
    'Frostbite is possible within 30 minutes.',
  ],
  [
    'XH',
    'A',
    'Extreme Heat Watch',
    'NWS',
    'watch',
    'NPW',
    'WWUS7',
    'Dangerous heat is possible.',
    'Heat illness becomes much more likely.',
  ],
  [
    'XH',
    'W',
    'Extreme Heat Warning',
    'NWS',
    'warning',
    'NPW',
    'WWUS7',
    'Dangerously hot conditions.',
    'Heat illness becomes much more likely.',
  ],
  [
    'HT',
    'Y',
    'Heat Advisory',
    'NWS',
    'advisory',
    'NPW',
    'WWUS7',
    'Heat index values up to 107.',
    'Hot temperatures may cause heat illness.',
  ],
  ['HW', 'A', 'High Wind Watch', 'HWA', 'watch', 'NPW', 'WWUS7', 'Gusts to 65 mph are possible.', 'Trees and power lines could come down.'],
  ['HW', 'W', 'High Wind Warning', 'HWW', 'warning', 'NPW', 'WWUS7', 'Gusts up to 65 mph.', 'Trees and power lines will come down.'],
  ['WI', 'Y', 'Wind Advisory', 'NWS', 'advisory', 'NPW', 'WWUS7', 'Gusts up to 50 mph.', 'Unsecured objects will blow around.'],
  [
    'FZ',
    'A',
    'Freeze Watch',
    'NWS',
    'watch',
    'NPW',
    'WWUS7',
    'Temperatures below freezing are possible.',
    'Crops and pipes could be harmed.',
  ],
  ['FZ', 'W', 'Freeze Warning', 'NWS', 'advisory', 'NPW', 'WWUS7', 'Temperatures as low as 28.', 'Frost will kill crops.'],
  [
    'FG',
    'Y',
    'Dense Fog Advisory',
    'NWS',
    'minor',
    'NPW',
    'WWUS7',
    'Visibility one quarter mile or less.',
    'Low visibility makes driving hazardous.',
  ],
  ['FW', 'A', 'Fire Weather Watch', 'NWS', 'watch', 'RFW', 'WWUS8', 'Critical fire weather is possible.', 'Any fire could spread fast.'],
  ['FW', 'W', 'Red Flag Warning', 'NWS', 'warning', 'RFW', 'WWUS8', 'Critical fire weather.', 'Any fire will spread fast.'],
  ['FL', 'W', 'Flood Warning', 'FLW', 'flash', 'FLS', 'WGUS8', 'River flooding.', 'Low roads and fields near the river are under water.'],
  [
    'FA',
    'W',
    'Flood Warning',
    'FLW',
    'flash',
    'FLW',
    'WGUS4',
    'Flooding caused by excessive rainfall.',
    'Rivers, creeks and low places flood.',
  ],
  [
    'FA',
    'Y',
    'Flood Advisory',
    'NWS',
    'minor',
    'FLS',
    'WGUS8',
    'Minor flooding in poor drainage areas.',
    'Some roads are covered by water.',
  ],
  ['FA', 'A', 'Flood Watch', 'FFA', 'watch', 'FFA', 'WGUS6', 'Flooding is possible.', 'Runoff may flood rivers and creeks.'],
  ['FF', 'A', 'Flash Flood Watch', 'FFA', 'watch', 'FFA', 'WGUS6', 'Flash flooding is possible.', 'Burn scars may send debris flows.'],
  [
    'SC',
    'Y',
    'Small Craft Advisory',
    'NWS',
    'craft',
    'MWW',
    'WHUS7',
    'Winds to 30 kt and seas 6 to 9 ft.',
    'Conditions are hazardous to small craft.',
  ],
  ['GL', 'A', 'Gale Watch', 'NWS', 'watch', 'MWW', 'WHUS7', 'Gales to 40 kt are possible.', 'Strong winds could capsize vessels.'],
  ['GL', 'W', 'Gale Warning', 'NWS', 'marine', 'MWW', 'WHUS7', 'Winds to 40 kt.', 'Strong winds could capsize vessels.'],
  ['SR', 'W', 'Storm Warning', 'NWS', 'marine', 'MWW', 'WHUS7', 'Winds to 55 kt.', 'Very strong winds will capsize vessels.'],
  ['UP', 'W', 'Heavy Freezing Spray Warning', 'NWS', 'marine', 'CWF', 'FZAK5', 'Heavy freezing spray.', 'Ice builds up fast on vessels.'],
  ['SU', 'Y', 'High Surf Advisory', 'NWS', 'minor', 'CFW', 'WHUS4', 'Large breaking waves.', 'Dangerous swimming and surfing.'],
  ['SU', 'W', 'High Surf Warning', 'NWS', 'warning', 'CFW', 'WHUS4', 'Very large breaking waves.', 'Waves wash over roads near the shore.'],
  [
    'RP',
    'S',
    'Rip Current Statement',
    'NWS',
    'advisory',
    'CFW',
    'WHUS4',
    'Dangerous rip currents.',
    'Rip currents can sweep swimmers out.',
  ],
  ['HU', 'A', 'Hurricane Watch', 'HUA', 'watch', 'TCV', 'WTUS8', 'Hurricane conditions are possible.', 'Life-threatening wind and surge.'],
  ['HU', 'W', 'Hurricane Warning', 'HUW', 'hurricane', 'TCV', 'WTUS8', 'Winds of 74 mph or more.', 'Devastating wind damage is likely.'],
  ['TR', 'W', 'Tropical Storm Warning', 'TRW', 'warning', 'TCV', 'WTUS8', 'Winds of 39 to 73 mph.', 'Damage to roofs and trees is likely.'],
  ['TS', 'W', 'Tsunami Warning', 'TSW', 'tornado', 'TSU', 'WEPA4', 'This is a test message.', 'None, this is a test.'],
];

/** Products without VTEC: name, code, SAME, traits, AWIPS, WMO, what, impacts. */
const PLAIN: Record<
  string,
  [event: string, code: string, same: string, traits: string, awips: string, wmo: string, what: string, impacts: string]
> = {
  SPS: [
    'Special Weather Statement',
    'SPS',
    'NWS',
    'statement',
    'SPS',
    'WWUS8',
    'Gusts of 40 to 50 mph and small hail.',
    'Gusty winds could knock down tree limbs.',
  ],
  AQA: [
    'Air Quality Alert',
    'AQA',
    'NWS',
    'unknown',
    'AQA',
    'AEUS7',
    'Fine particles reach unhealthy levels.',
    'Sensitive people should stay indoors.',
  ],
  ESF: ['Hydrologic Outlook', 'ESF', 'NWS', 'unknown', 'ESF', 'FGUS7', 'Rivers may rise later this week.', 'Flooding is possible.'],
  CEM: [
    'Civil Emergency Message',
    'CEM',
    'CEM',
    'civil',
    'CEM',
    'WOUS4',
    'Boil water order for the whole county.',
    'Tap water is not safe to drink.',
  ],
};

/** The hazard of a VTEC pair such as SV.W; throws when the table lacks it. */
export function hazard(pair: string): Hazard {
  const row = ROWS.find(([phenomenon, significance]) => `${phenomenon}.${significance}` === pair);
  if (!row) throw new Error(`no hazard ${pair}`);
  const [phenomenon, significance, event, same, traits, awips, wmo, what, impacts] = row;
  return { phenomenon, significance, event, same, awips, wmo, what, impacts, ...traitsOf(traits), instruction: instructionFor(traits) };
}

/** The hazard of a product without VTEC (SPS, AQA, ESF, CEM). */
export function plainHazard(code: keyof typeof PLAIN): Hazard {
  const row = PLAIN[code];
  if (!row) throw new Error(`no product ${code}`);
  const [event, eventCode, same, traits, awips, wmo, what, impacts] = row;
  const instruction = code === 'SPS' ? null : instructionFor(traits);
  return { phenomenon: '', significance: '', event, code: eventCode, same, awips, wmo, what, impacts, ...traitsOf(traits), instruction };
}

function traitsOf(name: string): Pick<Hazard, 'severity' | 'certainty' | 'urgency' | 'response'> {
  const [severity = 'Unknown', certainty = 'Unknown', urgency = 'Unknown', response = 'Monitor'] = TRAITS[name] ?? [];
  return { severity, certainty, urgency, response };
}

function instructionFor(traits: string): string | null {
  switch (traits) {
    case 'tornado':
      return 'This is an exercise. In a real one: move to a basement or an interior room now.';
    case 'storm':
    case 'blizzard':
    case 'hurricane':
      return 'This is an exercise. In a real one: stay inside a sturdy building.';
    case 'flash':
      return 'This is an exercise. In a real one: turn around at flooded roads.';
    case 'marine':
    case 'craft':
      return 'This is an exercise. In a real one: stay in port or change course.';
    case 'minor':
      return null;
    default:
      return 'This is an exercise. In a real one: follow the advice of local officials.';
  }
}
