import type { RowValue } from '../../domain/row.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';
import { storable } from './scalar-text.js';

/**
 * The elements of a skills column: an array (text[] or jsonb) of text or numbers, or text with commas. Trimmed;
 * null and blank elements are dropped; order and repeats are kept, because lookups come first.
 */
export function skillElements(value: RowValue): Reading<readonly string[]> {
  if (Array.isArray(value)) return arrayElements(value);
  if (typeof value === 'string' && !looksLikeArray(value)) return { value: cleaned(value.split(',')) };
  if (typeof value === 'number') return { value: [String(value)] };
  return fault(
    'type',
    'must be an array of text, or text with commas',
    'Cast the column in the query, for instance column::jsonb or column::text[].',
  );
}

function arrayElements(values: readonly RowValue[]): Reading<readonly string[]> {
  const texts: string[] = [];
  for (const each of values) {
    if (each === null) continue;
    if (typeof each !== 'string' && typeof each !== 'number') {
      return fault('type', 'must be an array of text', 'Return a flat array of skill codes from the query.');
    }
    const text = storable(String(each));
    if ('fault' in text) return text;
    texts.push(text.value);
  }
  return { value: cleaned(texts) };
}

function cleaned(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** An array that came as text: splitting it at commas would send its brackets and quotes. */
function looksLikeArray(text: string): boolean {
  return /^\s*(\[[^]*\]|\{[^]*\})\s*$/.test(text);
}
