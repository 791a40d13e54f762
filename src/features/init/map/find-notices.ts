import { escapeIdentifier } from 'pg';
import { PAY } from '../drafting/drafting.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { CatalogColumn, CatalogTable } from '../../catalog/catalog.js';
import { columnSql, literal } from '../sql-text.js';
import { isReadable, plainName } from '../words.js';
import type { DraftColumn, DraftQuery } from './draft-query.js';
import { countCondition, listed } from './look-at-values.js';

/** What columns and policies of a table mean for the sync although no column of the contract is about them. */

/** What hides rows of a table from the role, with the SQL that helps. Null: nothing. */
export function hiddenRows({ rowSecurity, title, sqlName }: CatalogTable, role: string): string | null {
  if (!rowSecurity.applies) return null;
  const policies = rowSecurity.policies.map(({ name, expression }) => `${name}: ${expression ?? 'true'}`);
  const name = /^[a-z_][a-z0-9_]*$/.test(role) ? role : escapeIdentifier(role);
  return `${title}: row-level security hides rows from ${role} (${policies.join('; ') || 'no policy'}). The worker refuses such a query, because hidden rows look like deleted ones. A superuser may run: ALTER ROLE ${name} BYPASSRLS; or the owner of the table: CREATE POLICY placement_sync ON ${sqlName} FOR SELECT TO ${name} USING (true); with source.rowSecurity: allow, which also accepts rows that are hidden on purpose.`;
}

/** Words beside those of pay: the period that an amount is for, and whether it may be shown. */
const PERIOD = /(^|_)(per|period|periode|unit|interval|frequency|basis|satuan|type|tipe|jenis)(_|$)/;
const HIDES = /(^|_)(secret|hide|hidden|rahasia|dirahasiakan|confidential)(_|$)/;
const SHOWS =
  /(^|_)(publish|published|show|shown|visible|display|displayed|tampil|tampilkan|ditampilkan|disclose|disclosed|public)(_|$)/;
const OF_PAY = new RegExp(`(^|_)${PAY}(_|$)`);
const PERIOD_ALONE = /^(period|periode|frequency)$/;

/** What a column beside pay says of it; null: nothing. */
export function payFlagKind(column: CatalogColumn): 'period' | 'hides' | 'shows' | null {
  const words = plainName(column.name);
  if (!(OF_PAY.test(words) || PERIOD_ALONE.test(words)) || !isReadable(column)) return null;
  if (!['boolean', 'integer', 'text', 'enum'].includes(column.kind)) return null;
  if (HIDES.test(words)) return 'hides';
  if (SHOWS.test(words)) return 'shows';
  return PERIOD.test(words) && column.kind !== 'boolean' ? 'period' : null;
}

/** What a column says of the pay beside it. */
interface PayNotice {
  readonly question: string;
  /** What is sent then of an amount. */
  readonly sql: (amount: string) => string;
}

/** The draft with pay by the month, and without pay that is kept back: with a question at each amount. */
export async function withPayQuestions(read: ReadOnly, query: DraftQuery): Promise<DraftQuery> {
  const isAmount = ({ target }: DraftColumn) => target.endsWith('_salary_amount');
  const notices: PayNotice[] = [];
  for (const column of query.columns.some(isAmount) ? query.table.columns : []) {
    const notice = await noticeOf(read, query, column);
    if (notice !== null) notices.push(notice);
  }
  const noted = (column: DraftColumn, { question, sql }: PayNotice): DraftColumn => ({
    ...column,
    sql: sql(column.sql),
    comments: [...column.comments, `decide: ${question}`],
  });
  return {
    ...query,
    columns: query.columns.map((column) => (isAmount(column) ? notices.reduce(noted, column) : column)),
  };
}

async function noticeOf(read: ReadOnly, query: DraftQuery, column: CatalogColumn): Promise<PayNotice | null> {
  const says = payFlagKind(column);
  if (says === null) return null;
  const sql = columnSql(query.alias, column);
  const flag = { column, sql, kind: 'publication', labelSql: null, joins: [], named: true } as const;
  const counts = await countCondition(read, query, flag);
  if (typeof counts === 'string') return null;
  const values = `${column.name} (${listed(counts, column.kind)})`;
  if (says === 'period') {
    const factors = monthFactors(counts.map(({ value }) => value ?? ''));
    const question = `${values} is the period of the pay, and the platform shows pay by the month`;
    const monthly = (amount: string) => `round(${amount} * case ${sql} ${factors.join(' ')} else 1 end)`;
    return factors.length === 0 ? null : { question, sql: monthly };
  }
  const question = `${values}: is pay kept back there?`;
  const isFlag = column.kind === 'boolean' || column.kind === 'integer';
  const test = column.kind === 'boolean' ? sql : `${sql} = 1`;
  const shown = says === 'hides' ? `not coalesce(${test}, false)` : test;
  if (!isFlag)
    return {
      question: `${question} Then write case when ${sql} = '…' then … end`,
      sql: (amount) => amount,
    };
  return { question, sql: (amount) => `case when ${shown} then ${amount} end` };
}

/** `when 'Year' then 1.0 / 12` of each word that is a period other than the month. */
export function monthFactors(words: readonly string[]): readonly string[] {
  return words.flatMap((value) => {
    const factor = FACTORS.find(([word]) => word.test(value))?.[1];
    return factor === undefined ? [] : [`when ${literal(value)} then ${factor}`];
  });
}

/** Months of a period: a year of pay is a twelfth of it by the month. */
const FACTORS = [
  [/year|annu|tahun|thn/i, '1.0 / 12'],
  [/week|minggu|pekan/i, '52.0 / 12'],
  [/da(y|ily)|hari/i, '21'],
  [/hour|jam/i, '173'],
] as const;
