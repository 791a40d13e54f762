import { draftable } from './draftable.js';
import type { DraftColumn, DraftQuery } from './draft-query.js';
import type { ValueCount } from './facts.js';
import { guessCountry } from './prefill/guess-country.js';
import { literal } from './sql-text.js';

const SPLIT = /^btrim\(split_part\((?<place>.*), ',', 1\)\)$/s;

const HOME_ONLY =
  'the platform knows no cities abroad, so the draft takes only those at home; a text without a comma counts as a city at home';

/** What stands behind the comma of a draft's "City, Country"; null: the draft has none, or a country already. */
export function behindComma({ entity, columns }: DraftQuery): DraftColumn | null {
  const region = columns.find(({ target }) => target === 'region_id');
  const place = SPLIT.exec(region?.sql ?? '')?.groups?.place;
  if (!region || place === undefined || !mayBeAbroad(entity)) return null;
  if (columns.some(({ target }) => target === 'region_country_code')) return null;
  return {
    ...region,
    target: 'region_country_code',
    sql: `btrim(split_part(${place}, ',', 2))`,
    codes: { id: `${region.from}, behind the comma`, labelSql: null, joins: [], allowed: [] },
    comments: [],
  };
}

function mayBeAbroad(entity: string): boolean {
  return draftable(entity).targets.some(({ name }) => name === 'region_country_code');
}

/**
 * The draft with the country as a column of its own, where most texts behind the comma are countries (and no provinces).
 * Abroad the platform knows no cities, so only those at home are taken; a text without a comma counts as one of them. Pure.
 */
export function withCountry(
  query: DraftQuery,
  country: DraftColumn,
  counts: readonly ValueCount[],
): DraftQuery {
  const filled = counts.filter(({ value }) => value !== null && value !== '');
  const sum = (some: readonly ValueCount[]) => some.reduce((total, { count }) => total + count, 0);
  const known = filled.filter(({ value }) => guessCountry(value ?? '', null).id !== '');
  if (known.length === 0 || sum(known) < sum(filled) / 2) return query;
  const home = filled.flatMap(({ value }) =>
    value !== null && guessCountry(value, null).id === '-' ? [value] : [],
  );
  const names = [...(home.length === 0 ? ['Indonesia'] : home), ''].map(literal).join(', ');
  const columns = query.columns.flatMap((column): DraftColumn[] => {
    if (column.target !== 'region_id') return [column];
    const sql = `case when ${country.sql} in (${names}) then ${column.sql} end`;
    return [
      { ...column, sql, comments: [...column.comments, `decide: ${HOME_ONLY}`] },
      { ...country, sql: `nullif(${country.sql}, '')` },
    ];
  });
  return { ...query, columns, findings: [...query.findings, `${country.from}: ${HOME_ONLY}`] };
}
