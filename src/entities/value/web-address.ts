import { url } from '../../contract/field-types.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

/** A URL of http or https, sent as it is. */
export function webAddress(text: string): Reading<string> {
  if (/\s/.test(text)) {
    return fault(
      'format',
      'must be a URL without blanks',
      "Write blanks inside of it as %20 and cut those around it, for instance replace(trim(column), ' ', '%20').",
    );
  }
  if (url.safeParse(text).success) return { value: text };
  return fault(
    'format',
    'must be an http or https URL',
    "If the scheme is missing, add it in the query: 'https://' || column.",
  );
}
