import { PAY } from '../../entities/drafting/drafting.js';
import type { ColumnMatch } from './column-match.js';
import { wordsOf } from './words.js';

/** Lowest and highest of one thing. */
const BOUNDS = [
  ['min_salary_amount', 'max_salary_amount'],
  ['min_age', 'max_age'],
] as const;
/** Words in which the names of both ends differ. */
const OPPOSITES = new Set(
  `min-max minimum-maximum minimal-maximal minimum-maksimum minimal-maksimal min-mak from-to from-until low-high lower-upper start-end
  begin-end first-last dari-sampai dari-hingga bawah-ata terendah-tertinggi awal-akhir mulai-selesai mulai-sampai mulai-akhir floor-ceiling
  bottom-top`.split(/\s+/),
);

/**
 * Both ends of a range come from columns that belong together: `lower_pay` with `upper_pay`, whatever else is called like
 * one of them. Ends of different things are no range: the surer one stays.
 *
 * @param pairs the best first
 */
export function pairBounds(pairs: readonly ColumnMatch[]): readonly ColumnMatch[] {
  return BOUNDS.reduce((rest, [low, high]) => together(rest, low, high), pairs);
}

function together(pairs: readonly ColumnMatch[], low: string, high: string): readonly ColumnMatch[] {
  const lows = pairs.filter(({ target }) => target === low);
  const highs = pairs.filter(({ target }) => target === high);
  const both = lows
    .flatMap((one) => highs.filter((other) => areOpposite(one, other)).map((other) => [one, other] as const))
    .sort(([a, b], [c, d]) => c.score + d.score - a.score - b.score)[0];
  if (both) return [...both, ...pairs.filter(({ target }) => target !== low && target !== high)];
  const [one] = lows;
  const other = highs.find(({ column }) => column.name !== one?.column.name);
  if (!one || !other || ofSame(one, other)) return pairs;
  const weaker = one.score < other.score ? low : high;
  return pairs.filter(({ target }) => target !== weaker);
}

function areOpposite(one: ColumnMatch, other: ColumnMatch): boolean {
  const [a, b] = [wordsOf(one.column.name), wordsOf(other.column.name)];
  if (a.length !== b.length) return false;
  const places = a.flatMap((word, at) => (word === b[at] ? [] : [`${word}-${b[at] ?? ''}`]));
  return places.length === 1 && OPPOSITES.has(places[0] ?? '');
}

/** Pay and wage are two things, when both names say which. */
function ofSame(one: ColumnMatch, other: ColumnMatch): boolean {
  const thing = ({ column }: ColumnMatch) =>
    new RegExp(`(?:^|_)(${PAY})(?:_|$)`).exec(wordsOf(column.name).join('_'))?.[1];
  const [a, b] = [thing(one), thing(other)];
  return a === undefined || b === undefined || a === b;
}
