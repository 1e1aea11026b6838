import { foldPlaceName } from './fold-name.ts';

/** States, the federal district and the territories that the National Weather Service serves, by their postal letters. */
export const US_STATE_NAMES: ReadonlyMap<string, string> = new Map(
  (
    'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|' +
    'GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|' +
    'MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|' +
    'NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|' +
    'RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|' +
    'WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|VI U.S. Virgin Islands'
  )
    .split('|')
    .map((row) => [row.slice(0, 2), row.slice(3)] as const),
);

/** Territories are countries of their own in ISO 3166 and in gazetteers; their alerts are those of the United States. */
export const US_TERRITORIES: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'VI']);

/** Folded names by letters. */
export const FOLDED_STATES: ReadonlyMap<string, string> = new Map(
  [...US_STATE_NAMES].map(([letters, name]) => [letters, foldPlaceName(name)] as const),
);
