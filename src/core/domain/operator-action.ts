import type { Hold, PushHold } from './guard.js';
import type { EntityName } from './names.js';

/*
 * What a person did by hand: the names of these actions, what is kept of one, and which of them need a reason when
 * `guards.requireReason` asks for it. What the worker does by itself is in the runs and in the journal.
 */

/** Everything by which a person changes something; and reading what is stored of people. */
export type ActionName =
  | 'run'
  | 'retry'
  | 'retry --removed'
  | 'approve'
  | 'resync'
  | 'verify --repair'
  | 'verify --repair --field'
  | 'adopt'
  | 'adopt --environment --keep'
  | 'adopt --environment --reset'
  | 'adopt --state-moved'
  | 'probe'
  | 'inbox reread'
  | 'subject export'
  | 'subject erase'
  | 'migrate'
  | 'migrate --down'
  | 'read-inbox'
  | 'fleet apply'
  | 'fleet add'
  | 'fleet remove'
  | 'fleet remove --purge'
  | 'fleet pause'
  | 'fleet resume'
  | 'fleet sync'
  | 'fleet move'
  | 'fleet migrate';

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

/** Who acts, and where. A command: user and host. A page: the name of the token, or what a trusted proxy says. */
export interface Operator {
  readonly who: string;
  readonly via: 'command' | 'page';
}

/** How many, by what was counted: an entity, `vanished`, `tenants` and so on. */
export type ActionCounts = Readonly<Record<string, number>>;

export interface AskedAction {
  readonly action: ActionName;
  /** Null: several, or not about records. */
  readonly entity: EntityName | null;
  /** Records or tenants that were named; the first few are kept. */
  readonly keys?: readonly string[];
  readonly reason?: string | null;
}

export interface EndedAction {
  /** `done`, `nothing` (there was nothing to do), `grown` (not approved), `exit 3`, `failed: CODE`. */
  readonly outcome: string;
  readonly counts: ActionCounts;
}

/** How an approval ends; `grown`: a newer sweep found more than the person saw, so it was not approved. */
export function approvalEnd(approved: {
  readonly sweep: Hold | null;
  readonly push: PushHold | null;
  readonly rearmed: number;
  readonly grown: boolean;
}): EndedAction {
  const { sweep, push, rearmed, grown } = approved;
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
