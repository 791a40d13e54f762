import type { Entity, MapContext } from '../../../entities/entity.js';
import { createCounter, type Counted, type Counter } from './counted.js';
import type { Tally } from './tally.js';

/** Tags and entities that people write in editors; a lone `<` or `&` is none. */
const HTML =
  /<\/?(?:p|br|div|span|ul|ol|li|b|i|u|strong|em|a|h[1-6]|table|tbody|tr|td|th|img|script|style|font|hr|blockquote|pre|code)(?:\s[^<>]*)?\/?>|&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5}|[lr][sd]quo|hellip|bull|[mn]dash);/i;

/** Characters that are looked at: anybody may write a long text, and HTML begins early. */
const LOOKED = 20_000;

/** HTML in columns that are sent as they are. */
export function createHtmlTally(
  { columns, parent }: Pick<Entity, 'columns' | 'parent'>,
  { plainText, lookups }: Pick<MapContext, 'plainText' | 'lookups'>,
): Tally<readonly (Counted & { readonly column: string })[]> {
  const skipped = new Set([
    'key',
    'row_version',
    parent?.column ?? '',
    ...plainText,
    ...Object.keys(lookups),
  ]);
  const looked = columns
    .map(({ name }) => name)
    .filter((name) => !skipped.has(name) && !/ur[il]$/.test(name));
  const found = new Map<string, Counter>();
  return {
    see({ name, row }) {
      for (const column of looked) {
        const value = row[column];
        if (typeof value !== 'string' || !HTML.test(value.slice(0, LOOKED))) continue;
        const counter = found.get(column) ?? createCounter();
        found.set(column, counter);
        counter.add(name);
      }
    },
    result: () => [...found].map(([column, { count, sample }]) => ({ column, count, sample })),
  };
}
