import { PAY } from '../../entities/drafting/drafting.js';
import type { DraftColumn } from './draft-query.js';
import { columnSql } from './column-sql.js';
import type { Place } from './scope.js';
import { wordsOf } from './words.js';

/** What columns mean for each other: a range is two amounts, months are no years. */
export function adjustColumns(place: Place, columns: DraftColumn[]): void {
  for (const found of ranges(place, columns)) replace(columns, found);
  months(columns);
  unnamedPay(columns);
}

/** The other end of a range, where a column has both. */
const OTHER_END: Readonly<Record<string, string>> = {
  min_salary_amount: 'max_salary_amount',
  min_age: 'max_age',
  start_date: 'finish_date',
};

function ranges(place: Place, columns: readonly DraftColumn[]): DraftColumn[] {
  return columns.flatMap((found) => {
    if (found.column?.kind !== 'range') return [];
    const sql = columnSql(place.alias, found.column);
    // Postgres stores [18,35] of whole numbers and days as [18,36).
    const upper = /int|date/.test(found.column.type) ? `upper(${sql}) - 1` : `upper(${sql})`;
    const other = OTHER_END[found.target];
    if (other === undefined) return [{ ...found, sql: upper }];
    return [
      { ...found, sql: `lower(${sql})` },
      { ...found, target: other, sql: upper },
    ];
  });
}

/** Months here, whole years there. */
function months(columns: DraftColumn[]): void {
  const found = columns.find(({ target }) => target === 'min_experience');
  if (
    !found ||
    !/month|bulan|bln/.test(wordsOf(found.column?.name ?? '').join('_')) ||
    found.column?.kind === 'text'
  )
    return;
  replace(columns, {
    ...found,
    sql: `${found.sql} / 12`,
    comments: [...found.comments, 'decide: months here, whole years there'],
  });
}

/** A range beside a currency is probably the pay; its name does not say so. */
function unnamedPay(columns: DraftColumn[]): void {
  for (const found of columns.filter(({ target }) => target.endsWith('_salary_amount')))
    if (found.column && !new RegExp(PAY).test(wordsOf(found.column.name).join('_')))
      replace(columns, {
        ...found,
        comments: [...found.comments, `decide: is ${found.column.name} the pay? Its name does not say so`],
      });
}

function replace(columns: DraftColumn[], found: DraftColumn): void {
  const at = columns.findIndex(({ target }) => target === found.target);
  if (at < 0) columns.push(found);
  else columns[at] = found;
}
