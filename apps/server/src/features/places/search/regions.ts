/** Names of GeoNames' codes for parts of countries that people tell places apart by; elsewhere the country alone is said. */
const REGIONS: Readonly<Record<string, string>> = {
  'GB.ENG': 'England',
  'GB.SCT': 'Scotland',
  'GB.WLS': 'Wales',
  'GB.NIR': 'Northern Ireland',
  'CA.01': 'Alberta',
  'CA.02': 'British Columbia',
  'CA.03': 'Manitoba',
  'CA.04': 'New Brunswick',
  'CA.05': 'Newfoundland and Labrador',
  'CA.07': 'Nova Scotia',
  'CA.08': 'Ontario',
  'CA.09': 'Prince Edward Island',
  'CA.10': 'Quebec',
  'CA.11': 'Saskatchewan',
  'CA.12': 'Yukon',
  'CA.13': 'Northwest Territories',
  'CA.14': 'Nunavut',
  'AU.01': 'Australian Capital Territory',
  'AU.02': 'New South Wales',
  'AU.03': 'Northern Territory',
  'AU.04': 'Queensland',
  'AU.05': 'South Australia',
  'AU.06': 'Tasmania',
  'AU.07': 'Victoria',
  'AU.08': 'Western Australia',
};

/** Null where the name of the code is not known: a bare code tells nobody anything. */
export const regionName = (countryCode: string, adminCode: string): string | null => REGIONS[`${countryCode}.${adminCode}`] ?? null;
