import type pg from 'pg';
import { grouped } from '../../core/domain/text.js';
import type { ReadOnly } from '../catalog/with-read-only.js';

/**
 * What a database that is too slow leaves out of a draft: statements that came too late are counted, and the report
 * says so.
 */

/** The same reading; what comes too late is counted in `late`. */
export function noteLate(read: ReadOnly, late: Late): ReadOnly {
  return {
    ...read,
    async attempt<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) {
      const answer = await read.attempt<T>(text, values);
      if ('refused' in answer && answer.refused.unbegun === true) late.unbegun += 1;
      else if ('refused' in answer && STOPPED.has(answer.refused.sqlstate)) late.stopped += 1;
      return answer;
    },
  };
}

/** How many statements gave no answer in time: stopped by the limit of one, or not begun within that of all. */
interface Late {
  stopped: number;
  unbegun: number;
}

/** By the limits on its time, and on waiting for locks. */
const STOPPED = new Set(['57014', '55P03']);

/** What a draft lacks because the database was too slow, for people. Empty: nothing. */
export function lateLines(
  { stopped, unbegun }: Late,
  limits: { readonly statementMs: number; readonly wholeMs: number },
): readonly string[] {
  if (stopped + unbegun === 0) return [];
  const [each, all] = [limits.statementMs / 1_000, limits.wholeMs / 60_000].map(String);
  return [
    '',
    'The database did not answer everything in time, so this draft lacks what was not seen: values, counts, codes, lookups.',
    `  - statements stopped after ${each} seconds: ${grouped(stopped)}; not begun within ${all} minutes: ${grouped(unbegun)}`,
    'Draft again into another folder (--out DIR) when the database has less to do, or from a replica.',
  ];
}
