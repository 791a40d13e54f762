import type { DraftColumn, DraftQuery } from './draft-query.js';
import type { QueryFacts, ValueFacts } from './facts.js';
import { firstFilled } from './sql-text.js';

/** A draft after a look at its values. */
export interface Refined {
  readonly query: DraftQuery;
  /** Columns with HTML. */
  readonly plainText: readonly string[];
}

/**
 * Completes a draft by what its values look like: what the platform cannot take is guarded, what only a person can decide
 * is said. Pure.
 *
 */
export function refineQuery(query: DraftQuery, values: QueryFacts['values']): Refined {
  const findings = [...query.findings, ...query.offers.map(({ from, question }) => `${from}: ${question}.`)];
  const plainText: string[] = [];
  const columns = query.columns.map((drafted) => {
    let column = drafted;
    const made = column.column?.made;
    if (made !== undefined) {
      findings.push(`${column.from}: ${made}`);
      column = { ...column, comments: [...column.comments, `decide: ${made}`] };
    }
    const facts = values.get(column.target);
    if (!facts || (facts.filled === 0 && column.fallback === undefined)) return { ...column };
    const { found, comments, sql } = judge(column, facts);
    if (found !== null) findings.push(`${column.from}: ${found}`);
    if (column.kind === 'text' && column.target !== 'name' && facts.html > 0) plainText.push(column.target);
    return { ...column, ...changed(column, sql ?? column.sql), comments: [...column.comments, ...comments] };
  });
  return { query: { ...query, columns, findings }, plainText };
}

/** Names of codes are looked up by what the column gives. */
function changed({ sql: before, codes }: DraftColumn, sql: string): Pick<DraftColumn, 'sql' | 'codes'> {
  if (!codes || sql === before) return { sql, codes };
  return {
    sql,
    codes: {
      ...codes,
      joins: codes.joins.map((join) => ({ ...join, on: join.on.replace(before, () => sql) })),
    },
  };
}

interface Judged {
  readonly found: string | null;
  readonly comments: readonly string[];
  readonly sql?: string;
}

const NOTHING: Judged = { found: null, comments: [] };

function judge(column: DraftColumn, facts: ValueFacts): Judged {
  const { sql } = column;
  const type = column.column?.kind ?? 'text';
  const said = (text: string, changed?: string): Judged => ({
    found: text,
    comments: [`decide: ${text}`],
    ...(changed === undefined ? {} : { sql: changed }),
  });
  if (facts.encrypted > facts.filled / 2 || type === 'bytes')
    return said('the values look encrypted; leave the column out, or decrypt it in the query');
  if (column.target === 'key') {
    return facts.year > facts.filled / 2 && type !== 'uuid'
      ? said(
          'the keys contain a year or cycle, so ids may be renewed: if a record keeps a code, use that as the key',
        )
      : NOTHING;
  }
  if (column.kind === 'url') {
    const others = facts.filled - facts.address;
    if (others === 0) return NOTHING;
    return said(
      `${of(others, facts.filled)} have no http:// or https://; complete them: 'https://…' || ${sql}`,
      `case when ${sql} ~* '^https?://' then ${sql} end`,
    );
  }
  if (column.kind === 'number' && type === 'text') {
    const prose = facts.filled - facts.number;
    return prose === 0
      ? NOTHING
      : said(
          `${of(prose, facts.filled)} are prose, no numbers; only numbers are taken`,
          `case when ${sql} ~ '^ *-?[0-9]+([.][0-9]+)? *$' then ${sql} end`,
        );
  }
  if (column.kind === 'date') return judgeTime(column, facts, said);
  const without = facts.rows - facts.filled + facts.blank;
  if (column.fallback !== undefined && without > 0) {
    const both =
      type === 'text' ? firstFilled([sql, column.fallback]) : `coalesce(${sql}, ${column.fallback})`;
    const missing = `${of(without, facts.rows)} are null${type === 'text' ? ' or empty' : ''}; the draft takes that of the company or institution then`;
    return facts.comma > facts.filled / 2
      ? said(
          `${missing}, and of "City, Country" what stands before the comma`,
          `btrim(split_part(${both}, ',', 1))`,
        )
      : said(missing, both);
  }
  if (
    column.target === 'region_id' &&
    type === 'text' &&
    column.codes?.labelSql === null &&
    facts.comma > facts.filled / 2
  ) {
    return said(
      `${of(facts.comma, facts.filled)} look like "City, Country" (or province); the draft takes what stands before the comma. The rest is btrim(split_part(${sql}, ',', 2)), which may be region_country_code`,
      `btrim(split_part(${sql}, ',', 1))`,
    );
  }
  if (column.target === 'region_id' && facts.filled < facts.rows / 2)
    return said(
      `${of(facts.rows - facts.filled, facts.rows)} are null; where else does a record say where it is?`,
    );
  if (column.kind === 'flag' && type !== 'boolean')
    return said('it is no boolean; the worker reads true and false, yes and no, 1 and 0');
  return NOTHING;
}

function judgeTime(
  { sql, column }: DraftColumn,
  facts: ValueFacts,
  said: (text: string, changed?: string) => Judged,
): Judged {
  const type = column?.kind ?? 'text';
  if (type === 'text') {
    const other = facts.filled - facts.isoDate;
    return other === 0
      ? NOTHING
      : said(
          `${of(other, facts.filled)} are no dates of the form 2026-12-31; only those are taken`,
          `case when ${sql} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then ${sql} end`,
        );
  }
  if (type === 'integer') return said('it is a number, maybe of seconds since 1970', `to_timestamp(${sql})`);
  if (type === 'timestamp')
    return said(
      `a time without zone; set source.timeZone. ${of(facts.otherDay, facts.filled)} have another day in Jakarta if it is UTC`,
    );
  if (type === 'timestamptz' && facts.otherDay > 0)
    return said(
      `the last day depends on the zone: ${of(facts.otherDay, facts.filled)} have another day in Jakarta than in UTC. The worker sends the day in platform.timeZone`,
    );
  return NOTHING;
}

/** `12 of 400 values` */
function of(some: number, all: number): string {
  return `${group(some)} of ${group(all)} values`;
}

/** `1,067` */
export function group(number: number): string {
  return number.toLocaleString('en-US');
}
