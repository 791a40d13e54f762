import type { Judgement } from './reply/reply.js';
import { oneLine } from './reply/reply.js';

/**
 * Whether refusals are about their records, or about what all of them share. One answer does not say so: a firewall refuses
 * a text with the same page as it refuses everything. Another record that passes does: one that was accepted in the same
 * push, or a control, as an experiment has one: a record that the platform accepted before, put again unchanged.
 */

export type Refused = Extract<Judgement, { kind: 'refused' }>;

/** What was refused by one operation since it accepted something. */
export interface RefusalRow {
  /** It accepted something in this push. */
  readonly passed: boolean;
  /** `impossible`: nothing can be put again unchanged. */
  readonly control: 'open' | 'passed' | 'impossible';
  readonly count: number;
  readonly first: Refused | null;
  /** All came with the same status and words. */
  readonly alike: boolean;
  /** One of them may come from a box before the platform: a web page, or a 403. */
  readonly box: boolean;
  /** All name fields of their records. */
  readonly fields: boolean;
}

export const EMPTY_ROW: RefusalRow = {
  passed: false,
  control: 'open',
  count: 0,
  first: null,
  alike: true,
  box: false,
  fields: true,
};

export function withRefusal(row: RefusalRow, refusal: Refused): RefusalRow {
  const first = row.first ?? refusal;
  return {
    ...row,
    first,
    count: row.count + 1,
    alike: row.alike && likeness(first) === likeness(refusal),
    box: row.box || refusal.unproven !== undefined,
    fields: row.fields && refusal.namesFields === true,
  };
}

/** Two of them are alike where only what they quote of their records differs. The title of a page may carry a number. */
function likeness({ statusCode, message, unproven }: Refused): string {
  if (unproven?.page === true) return `${statusCode}`;
  return `${statusCode} ${message.replace(/"[^"]*"|'[^']*'|[\w-]*\d[\w.,-]*/g, '#')}`;
}

export interface RowFacts {
  /** Nothing else is left to send. */
  readonly idle: boolean;
  /** The push before stopped for refusals, and nothing has passed since: as few requests as possible. */
  readonly trial: boolean;
  /** So many alike are about what they share: `guards.maxSameRefusals`. */
  readonly most: number;
  /** So many before the first acceptance hold their entity, alike or not: `guards.maxRejectedInARow`. */
  readonly holdAt: number;
  /** Something was accepted under this query, these lookups and settings. */
  readonly mappingProven: boolean;
  /** Something else was accepted before that shows that the way of asking is right, and that a few may differ from it. */
  readonly proven: boolean;
}

/** `own`: they are about their records. `stop`: about what all share, so nobody is rejected. */
export function decideRow(row: RefusalRow, facts: RowFacts): 'wait' | 'own' | 'control' | 'stop' {
  const { count, alike, box, control } = row;
  const { idle, trial, most } = facts;
  if (count === 0) return 'wait';
  if (!box && !row.passed && !facts.mappingProven && count >= facts.holdAt) return 'own';
  // What it accepted before still passes, so a new query or lookup may lack what all of them need.
  if (control === 'passed') {
    if (!alike || box || facts.mappingProven) return 'own';
    return count >= most ? 'stop' : idle ? 'own' : 'wait';
  }
  if (row.passed && count < most) return idle ? 'own' : 'wait';
  if (row.passed && !box && (!alike || control === 'impossible')) return 'own';
  if (!idle && count < (trial ? 1 : most)) return 'wait';
  if (control === 'open') return 'control';
  if (!box && (!alike || (facts.proven && count < most))) return 'own';
  // A box may refuse a few neighbours, so more than these are asked.
  const enough = (box ? 2 : 1) * (trial ? 1 : most);
  return idle || count >= enough ? 'stop' : 'wait';
}

/** What is kept of a refusal that is about its record. */
export function ownWords({ statusCode, message, unproven }: Refused): string {
  if (unproven?.page !== true) return message;
  const why =
    statusCode === 413
      ? 'refuses this record for its size; shorten its texts'
      : 'refuses this text; look for code, SQL or paths in it';
  return oneLine(`A firewall before the platform ${why}. Others pass. It answered ${message}`);
}
