import { grouped } from '../../../core/domain/text.js';
import { draftable } from '../draftables.js';
import { HOST } from '../sql-text.js';
import { disagreement, of } from './agreement.js';
import { type DraftColumn, type DraftQuery, emptyColumn, inOrder, type Offer } from './draft-query.js';
import type { ValueFacts } from './look-at-values.js';

/** A draft after a look at its values. */
export interface Refined {
  readonly query: DraftQuery;
  /** Columns with HTML. */
  readonly plainText: readonly string[];
}

/**
 * Completes a draft by what its values look like, as the counts say: what the platform cannot take is guarded, with a
 * question, and what does not agree with the column of the contract is a line that a person may uncomment.
 */
export function refineQuery(query: DraftQuery, values: ReadonlyMap<string, ValueFacts>): Refined {
  const judged = query.columns.map((column) => {
    const facts = values.get(column.target);
    return { column, doubt: facts === undefined ? null : judge(column, facts) };
  });
  const columns = judged.flatMap(({ column, doubt }): DraftColumn[] => {
    if (doubt === null) return [column];
    if (doubt.isOut) return [];
    return [{ ...guarded(column, doubt.sql), comments: [...column.comments, `decide: ${doubt.question}`] }];
  });
  const offers = judged.flatMap(({ column: { target, from }, doubt }): Offer[] =>
    doubt?.isOut === true ? [{ target, from, sql: doubt.sql, question: `${from}: ${doubt.question}` }] : [],
  );
  const plainText = columns.filter(
    ({ target, kind }) => kind === 'text' && target !== 'name' && (values.get(target)?.html ?? 0) > 0,
  );
  return {
    query: { ...query, columns, offers: [...query.offers, ...offers] },
    plainText: plainText.map(({ target }) => target),
  };
}

/** Names of codes are looked up by what the column gives. */
function guarded(column: DraftColumn, sql: string): DraftColumn {
  const { codes, sql: before } = column;
  if (!codes || sql === before) return { ...column, sql };
  const joins = codes.joins.map((join) => ({ ...join, on: join.on.replace(before, () => sql) }));
  return { ...column, sql, codes: { ...codes, joins } };
}

/** What only a person can decide of a column. */
interface Doubt {
  readonly question: string;
  /** What the draft takes; where the column is left out, what a person may take. */
  readonly sql: string;
  readonly isOut: boolean;
}

function judge(column: DraftColumn, facts: ValueFacts): Doubt | null {
  const { sql, kind, target } = column;
  if (kind === 'key') return null;
  const no = disagreement(column, facts);
  if (no !== null) return { question: no, sql, isOut: true };
  const form = FORMS[kind];
  const without = facts.rows - facts.filled + facts.blank;
  if (target === 'region_id' && without > facts.rows / 2)
    return {
      question: `${of(without, facts.rows)} are null or empty; where else does a record say where it is?`,
      sql,
      isOut: true,
    };
  if (form === undefined || column.column?.kind !== 'text') return null;
  const usable = facts[form.fact];
  const others = facts.filled - usable;
  if (others === 0) return null;
  const what = `${of(others, facts.filled)} ${form.lacks}`;
  if (kind === 'url' && facts.host > 0)
    return {
      question: `${what}; the draft puts https:// before the ${grouped(facts.host)} that begin with a host`,
      sql: `case when ${sql} ${form.test} then ${sql} when ${sql} ${HOST} then 'https://' || ${sql} end`,
      isOut: false,
    };
  if (usable === 0) return { question: `${what}; ${form.ask}`, sql: form.instead(sql), isOut: true };
  return {
    question: `${what}; only the others are taken`,
    sql: `case when ${sql} ${form.test} then ${sql} end`,
    isOut: false,
  };
}

interface Form {
  /** The count of values that have it, and the test that is behind it. */
  readonly fact: 'number' | 'isoDate' | 'address';
  readonly test: string;
  readonly lacks: string;
  /** Where no value has it. */
  readonly ask: string;
  readonly instead: (sql: string) => string;
}

/** What a text has to look like, where the platform takes no other. */
const FORMS: Readonly<Partial<Record<DraftColumn['kind'], Form>>> = {
  number: {
    fact: 'number',
    test: `~ '^ *-?[0-9]+([.][0-9]+)? *$'`,
    lacks: 'are prose, no numbers',
    ask: 'the first digits may not be the number',
    instead: (sql) => `substring(${sql} from '[0-9]+')`,
  },
  degrees: {
    fact: 'number',
    test: `~ '^ *-?[0-9]+([.][0-9]+)? *$'`,
    lacks: 'are no numbers',
    ask: 'which part is it?',
    instead: (sql) => sql,
  },
  date: {
    fact: 'isoDate',
    test: `~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'`,
    lacks: 'are no dates of the form 2026-12-31',
    ask: 'in which form are they?',
    instead: (sql) => String.raw`regexp_replace(${sql}, '^(\d\d)/(\d\d)/(\d{4})$', '\3-\2-\1')`,
  },
  url: {
    fact: 'address',
    test: `~* '^https?://'`,
    lacks: 'have no http:// or https://',
    ask: 'complete them',
    instead: (sql) => `'https://…' || ${sql}`,
  },
};

/** The draft with every column that the worker asks for: null with a question where nothing was found. */
export function withRequired(query: DraftQuery): DraftQuery {
  const drafted = draftable(query.entity);
  const { entity } = drafted;
  const lacking = entity.columns.filter(
    ({ name, required }) =>
      (required === true || entity.assumedRequired.includes(name)) &&
      !query.columns.some(({ target }) => target === name),
  );
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
