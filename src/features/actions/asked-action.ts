import type { EntityName } from '../../core/domain/names.js';
import type { ActionName, EndedAction } from '../../core/domain/operator-action.js';
import type { Approved } from './approve.js';

/*
 * What a person asks for by hand: what is kept of it, and which actions need a reason when `guards.requireReason` asks
 * for it.
 */

/** Actions that go on where the program stopped to ask a person. */
const AGAINST_A_GUARD: readonly ActionName[] = [
  'approve',
  'retry --removed',
  'verify --repair --field',
  'adopt --environment --keep',
  'adopt --environment --reset',
  'adopt --state-moved',
];

/** `guards.requireReason` is true: whether the action needs a reason then. */
export function needsReason(action: ActionName): boolean {
  return AGAINST_A_GUARD.includes(action);
}

export interface AskedAction {
  readonly action: ActionName;
  /** Null: several, or not about records. */
  readonly entity: EntityName | null;
  /** Records or tenants that were named; the first few are kept. */
  readonly keys?: readonly string[];
  readonly reason?: string | null;
}

/** How an approval ends; `grown`: a newer sweep found more than the person saw, so it was not approved. */
export function approvalEnd({ sweep, push, rearmed, grown }: Approved): EndedAction {
  const { source: _, ...counts } = sweep?.counts ?? {};
  const outcome = sweep || push ? 'done' : grown ? 'grown' : 'nothing';
  return { outcome, counts: { ...counts, ...(push ? { rearmed } : {}) } };
}

/** Keys that are kept of one action. */
export const KEPT_KEYS = 20;

const LONGEST_REASON = 500;

/** A reason as it is kept, on one line; null: none was given, or it is too long. */
export function readReason(text: string): string | null {
  const reason = text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
  return reason === '' || reason.length > LONGEST_REASON ? null : reason;
}
