import { COUNTRY_CODES } from '../country-codes.js';
import { NO_DOUBTS, type DoubtedBody, type DoubtRule } from './doubt.js';

/** The country code of a region abroad: ISO 3166-1 alpha-2 in capitals. */
export const countryRule: DoubtRule = ({ region }) => {
  if (typeof region !== 'object' || region === null) return NO_DOUBTS;
  const code = (region as DoubtedBody).country_code;
  if (typeof code !== 'string' || COUNTRY_CODES.has(code)) return NO_DOUBTS;
  return [
    {
      field: 'region.country_code',
      code: 'doubtful',
      message: 'is not a country code of ISO 3166 (two capital letters, such as SG)',
      value: code,
      hint: 'Give the column region_country_code a lookup; null in the home country.',
      ruledOut: true,
    },
  ];
};
