import { grouped } from '../../../core/domain/text.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import { draftable } from '../draftables.js';
import { isCity, type References } from '../guess-ids.js';
import { NULL_TEXT } from '../sql-text.js';
import { draftColumn, type DraftQuery, type Offer, ownCodes, type ValueCount } from './draft-query.js';
import { countCodes } from './look-at-values.js';

/**
 * The city at the end of an address, where no column has it: "Jl. Merdeka 1, Bandung 40111". The parts that may be it are
 * counted, and compared with the names of cities; the one that most often is one is offered.
 */
export async function withCityOfAddress(
  read: ReadOnly,
  query: DraftQuery,
  references: References,
): Promise<DraftQuery> {
  const address = query.columns.find(({ target }) => target === 'address');
  const hasCity = query.columns.some(({ target, sql }) => target === 'region_id' && sql !== NULL_TEXT);
  const isWanted = draftable(query.entity).targets.some(({ name }) => name === 'region_id');
  if (!isWanted || hasCity || !address || address.personal || address.kind !== 'text') return query;
  const isKnown = (value: string) => isCity(value, null, references.get('region_id') ?? []);
  let best: { readonly offer: Offer; readonly cities: number } | null = null;
  for (const sql of tailsOf(address.sql)) {
    const from = `${address.from}, its end`;
    const column = draftColumn({
      ...{ target: 'region_id', kind: 'code', sql, column: address.column, from },
      codes: ownCodes(from),
    });
    const counts = (await countCodes(read, query, column)) ?? [];
    const filled = counts.filter(({ value }) => value !== null && value !== '');
    const sum = (some: readonly ValueCount[]) => some.reduce((total, { count }) => total + count, 0);
    const [rows, cities] = [sum(filled), sum(filled.filter(({ value }) => isKnown(value ?? '')))];
    if (cities < rows * OFTEN || cities <= (best?.cities ?? 0)) continue;
    const question = `${grouped(cities)} of ${grouped(rows)} ${address.from} end with a city. Use it? The other ${grouped(rows - cities)} have none then, and are not sent`;
    best = {
      offer: { target: 'region_id', sql, from: address.from, question, coded: { column, counts: filled } },
      cities,
    };
  }
  if (best === null) return query;
  return { ...query, offers: [...query.offers, best.offer] };
}

/** Share of the rows from which on the end of an address is worth a question. */
const OFTEN = 0.3;

/** Without the postal code: behind the last comma, before it (a province follows), and the last word. */
function tailsOf(address: string): readonly string[] {
  const text = `regexp_replace(${address}, '[[:space:]0-9.,;-]+$', '')`;
  return [
    `btrim(regexp_replace(${text}, '^.*,', ''))`,
    `btrim(substring(${text} from '([^,]+),[^,]*$'))`,
    `substring(${text} from '(?:(?:[Kk]ota|[Kk]ab[.a-z]*)[[:space:]]+)?[[:alpha:]]+$')`,
  ];
}
