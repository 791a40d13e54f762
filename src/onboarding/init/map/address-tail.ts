import { grouped } from '../../../domain/text.js';
import type { ReadOnly } from '../../../source/with-read-only.js';
import { draftable } from '../draftables.js';
import { isCityAtHome, type References } from '../guess-ids.js';
import { NULL_TEXT } from '../sql-text.js';
import {
  type DraftColumn,
  draftColumn,
  type DraftQuery,
  inOrder,
  ownCodes,
  renderFrom,
} from './draft-query.js';
import { LOOK_LIMITS } from './look-at-values.js';

/**
 * The city at the end of an address, where no column has it: "Jl. Merdeka 1, Bandung 40111". The parts that may be it are
 * counted, and compared with the names of cities. One that nearly always is a city becomes the line; one that is often
 * a city is offered.
 */
export async function withCityOfAddress(
  read: ReadOnly,
  query: DraftQuery,
  references: References,
): Promise<DraftQuery> {
  const drafted = draftable(query.entity);
  const address = query.columns.find(({ target }) => target === 'address');
  const hasCity = query.columns.some(({ target, sql }) => target === 'region_id' && sql !== NULL_TEXT);
  const isWanted = drafted.targets.some(({ name }) => name === 'region_id');
  if (!isWanted || hasCity || !address || address.personal || address.kind !== 'text') return query;
  const found: Tail[] = [];
  for (const sql of tailsOf(address.sql)) found.push(await countCities(read, query, sql, references));
  const [best] = found.toSorted((a, b) => b.cities - a.cities);
  if (!best || best.cities < best.rows * OFTEN || best.rows === 0) return query;
  const { sql, cities, rows } = best;
  const question = `${grouped(cities)} of ${grouped(rows)} ${address.from} end with a city. Use it? The other ${grouped(rows - cities)} have none then, and are not sent`;
  const findings = [...query.findings, `${address.from}: ${question}.`];
  if (cities < rows * NEARLY_ALWAYS)
    return {
      ...query,
      findings,
      offers: [...query.offers, { target: 'region_id', sql, from: address.from, question }],
    };
  const line: DraftColumn = draftColumn({
    ...{ target: 'region_id', kind: 'code', sql, column: address.column },
    from: `${address.from}, its end`,
    codes: ownCodes(`${address.from}, its end`),
    comments: [`decide: ${question}`],
  });
  const others = query.columns.filter(({ target }) => target !== 'region_id');
  return { ...query, findings, columns: inOrder(drafted, [...others, line]) };
}

/** Share of the rows from which on the end of an address is worth a question, and a line. */
const OFTEN = 0.3;
const NEARLY_ALWAYS = 0.8;

interface Tail {
  readonly sql: string;
  /** Rows with an address, and of these with a city there. */
  readonly rows: number;
  readonly cities: number;
}

/** Without the postal code: behind the last comma, before it (a province follows), and the last word. */
function tailsOf(address: string): readonly string[] {
  const text = `regexp_replace(${address}, '[[:space:]0-9.,;-]+$', '')`;
  return [
    `btrim(regexp_replace(${text}, '^.*,', ''))`,
    `btrim(substring(${text} from '([^,]+),[^,]*$'))`,
    `substring(${text} from '(?:(?:[Kk]ota|[Kk]ab[.a-z]*)[[:space:]]+)?[[:alpha:]]+$')`,
  ];
}

async function countCities(
  read: ReadOnly,
  query: DraftQuery,
  sql: string,
  references: References,
): Promise<Tail> {
  const from = renderFrom(query, [sql], { personal: false, comments: false }).join('\n');
  const answer = await read.attempt<{ value: string | null; count: string; rows: string }>(
    `select left(s.value, ${LONGEST}) as value, count(*) as count, cast(sum(count(*)) over () as bigint) as rows
     from (select ${sql} as value ${from} limit ${LOOK_LIMITS.sample}) s where s.value <> ''
     group by 1 order by 2 desc, 1 limit ${LOOK_LIMITS.codes}`,
  );
  if ('refused' in answer) return { sql, rows: 0, cities: 0 };
  const cities = references.get('region_id') ?? [];
  return {
    sql,
    rows: Number(answer.rows[0]?.rows ?? 0),
    cities: answer.rows.reduce(
      (sum, { value, count }) => sum + (value !== null && isCityAtHome(value, cities) ? Number(count) : 0),
      0,
    ),
  };
}

/** A longer text is no city. */
const LONGEST = 40;
