import type { ReadOnly } from '../../catalog/with-read-only.js';

/** Counts of a sample of rows: the database counts, and no value leaves it. */

/** Rows that are looked at. */
export const SAMPLE = 20_000;

/** What is counted of one expression. */
export interface Counted {
  /** Over the tables of `from`. */
  readonly sql: string;
  /** By name, aggregates over the value. */
  readonly counts: (value: string) => Readonly<Record<string, string>>;
}

/** By name. What was not counted is absent. */
export type Counts = Readonly<Partial<Record<string, number>>>;

/**
 * The counts of each expression, with the number of `rows`; null: the server refused, or it took too long.
 *
 * @param from `from hr.job v left join …`
 */
export async function countSample(
  read: ReadOnly,
  from: string,
  expressions: readonly Counted[],
): Promise<readonly Counts[] | null> {
  if (expressions.length === 0) return [];
  const inner = expressions.map(({ sql }, at) => `${sql} as c${at}`);
  const outer = expressions.map(({ counts }, at) => {
    const all = Object.entries({ rows: 'count(*)', ...counts(`s.c${at}`) });
    return `json_build_object(${all.map(([name, sql]) => `'${name}', ${sql}`).join(', ')}) as c${at}`;
  });
  const answer = await read.attempt<Record<string, Counts>>(
    `select ${outer.join(', ')} from (select ${inner.join(', ')} ${from} limit ${SAMPLE}) s`,
  );
  if ('refused' in answer) return null;
  return expressions.map((_, at) => answer.rows[0]?.[`c${at}`] ?? {});
}

/** An aggregate: the rows for which a test is true. */
export function countOf(test: string): string {
  return `count(*) filter (where ${test})`;
}
