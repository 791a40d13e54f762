import { grouped } from '../../../core/domain/text.js';
import { draftable } from '../draftables.js';
import { HOST } from '../sql-text.js';
import { disagreement, of } from './agreement.js';
import { type DraftColumn, type DraftQuery, emptyColumn, inOrder } from './draft-query.js';
import type { QueryFacts, ValueFacts } from './look-at-values.js';

/** A draft after a look at its values. */
export interface Refined {
  readonly query: DraftQuery;
  /** Columns with HTML. */
  readonly plainText: readonly string[];
}

/**
 * Completes a draft by what its values look like. Each column is judged by the counts of its values: what the platform
 * cannot take is guarded, what only a person can decide becomes a question, what is always null is left out. At last come
 * the columns that the worker asks for and nobody found.
 */
export function refineQuery(query: DraftQuery, values: QueryFacts['values']): Refined {
  const findings = [...query.findings, ...query.offers.map(({ from, question }) => `${from}: ${question}.`)];
  const plainText: string[] = [];
  const offers = [...query.offers];
  const columns = query.columns.flatMap((drafted): DraftColumn[] => {
    const { column, facts } = { column: withQuestion(drafted), facts: values.get(drafted.target) };
    if (column !== drafted) findings.push(`${column.from}: ${column.column?.made ?? ''}`);
    if (!facts) return [column];
    const { found, comments, sql, instead } = judge(column, facts);
    if (found !== null) findings.push(`${column.from}: ${found}`);
    if (instead !== undefined) {
      offers.push({ target: column.target, sql: instead, from: column.from, question: found ?? '' });
      return [];
    }
    if (column.kind === 'text' && column.target !== 'name' && facts.html > 0) plainText.push(column.target);
    return [
      { ...column, ...changed(column, sql ?? column.sql), comments: [...column.comments, ...comments] },
    ];
  });
  return { query: withRequired({ ...query, columns, offers, findings }), plainText };
}

/** What the draft makes of a stored value is a question. */
function withQuestion(column: DraftColumn): DraftColumn {
  const made = column.column?.made;
  return made === undefined ? column : { ...column, comments: [...column.comments, `decide: ${made}`] };
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
  /** The column would be null in all rows: what a person may take instead. */
  readonly instead?: string;
}

const NOTHING: Judged = { found: null, comments: [] };

/** A question at the column. `sql`: what the draft makes of it; default: it stays. */
function asked(text: string, sql?: string): Judged {
  return { found: text, comments: [`decide: ${text}`], ...(sql === undefined ? {} : { sql }) };
}

function left(text: string, instead: string): Judged {
  return { found: text, comments: [], instead };
}

function judge(column: DraftColumn, facts: ValueFacts): Judged {
  const { sql } = column;
  const type = column.column?.kind ?? 'text';
  if (facts.filled === 0 && (facts.rows === 0 || column.target === 'key')) return NOTHING;
  if (column.target === 'key') return NOTHING;
  if (facts.encrypted > facts.filled / 2 || type === 'bytes') {
    const question = 'the values look encrypted: can the query decrypt them?';
    return column.kind === 'key' ? asked(question) : left(question, sql);
  }
  const no = column.kind === 'key' ? null : disagreement(column, facts);
  if (no !== null) return left(no, sql);
  if (column.kind === 'url') return judgeAddress(sql, facts);
  if (column.kind === 'number' && type === 'text') {
    const prose = facts.filled - facts.number;
    if (facts.number === 0)
      return left(
        `${of(prose, facts.filled)} are prose, no numbers; the first digits may not be the number`,
        `substring(${sql} from '[0-9]+')`,
      );
    return prose === 0
      ? NOTHING
      : asked(
          `${of(prose, facts.filled)} are prose, no numbers; only numbers are taken`,
          `case when ${sql} ~ '^ *-?[0-9]+([.][0-9]+)? *$' then ${sql} end`,
        );
  }
  if (column.kind === 'date') return judgeTime(column, facts);
  const without = facts.rows - facts.filled + facts.blank;
  if (column.target === 'region_id' && without > facts.rows / 2)
    return left(
      `${of(without, facts.rows)} are null or empty; where else does a record say where it is?`,
      sql,
    );
  if (column.kind === 'flag' && type !== 'boolean')
    return asked('it is no boolean; the worker reads true and false, yes and no, 1 and 0');
  return NOTHING;
}

function judgeAddress(sql: string, facts: ValueFacts): Judged {
  const others = facts.filled - facts.address;
  if (others === 0) return NOTHING;
  const text = `${of(others, facts.filled)} have no http:// or https://`;
  const whole = `when ${sql} ~* '^https?://' then ${sql}`;
  if (facts.host > 0)
    return asked(
      `${text}; the draft puts https:// before the ${grouped(facts.host)} that begin with a host`,
      `case ${whole} when ${sql} ${HOST} then 'https://' || ${sql} end`,
    );
  return facts.address === 0
    ? left(`${text}; complete them`, `'https://…' || ${sql}`)
    : asked(`${text}; complete them: 'https://…' || ${sql}`, `case ${whole} end`);
}

function judgeTime({ sql, column }: DraftColumn, facts: ValueFacts): Judged {
  if ((column?.kind ?? 'text') !== 'text') return NOTHING;
  const other = facts.filled - facts.isoDate;
  if (facts.isoDate === 0)
    return left(
      `${of(other, facts.filled)} are no dates of the form 2026-12-31; in which form are they?`,
      String.raw`regexp_replace(${sql}, '^(\d\d)/(\d\d)/(\d{4})$', '\3-\2-\1')`,
    );
  return other === 0
    ? NOTHING
    : asked(
        `${of(other, facts.filled)} are no dates of the form 2026-12-31; only those are taken`,
        `case when ${sql} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then ${sql} end`,
      );
}

/**
 * The draft with every column that the worker asks for: null with a question where nothing was found, so that all
 * the rest can be checked.
 */
export function withRequired(query: DraftQuery): DraftQuery {
  const drafted = draftable(query.entity);
  const { entity } = drafted;
  const needed = entity.columns.filter(
    ({ name, required }) => required === true || entity.assumedRequired.includes(name),
  );
  const lacking = needed.filter(({ name }) => !query.columns.some(({ target }) => target === name));
  if (lacking.length === 0) return query;
  const empty = lacking.map(({ name, required }) =>
    emptyColumn(
      name,
      `the ${entity.noun.one} has no ${name} here. ${
        required === true
          ? 'No record is sent without it'
          : `None is sent before it has one, unless required: [] of ${query.entity} in placement-sync.yaml sends them without it, and a strict platform refuses them`
      }`,
    ),
  );
  return { ...query, columns: inOrder(drafted, [...query.columns, ...empty]) };
}
