import type pg from 'pg';
import type { ReadOnly } from '../catalog/with-read-only.js';

/** How many statements gave no answer in time. */
export interface Late {
  /** Stopped by the limit of one statement. */
  stopped: number;
  /** Not begun: the time of all of them was over. */
  unbegun: number;
}

/** By the limits on its time, and on waiting for locks. */
const STOPPED = new Set(['57014', '55P03']);

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
