/*
 * What a person did by hand: the names of these actions, and how one ends. What the worker does by itself is in the runs
 * and in the journal.
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

/** Who acts, and where. A command: user and host. A page: the name of the token, or what a trusted proxy says. */
export interface Operator {
  readonly who: string;
  readonly via: 'command' | 'page';
}

/** How many, by what was counted: an entity, `vanished`, `tenants` and so on. */
export type ActionCounts = Readonly<Record<string, number>>;

export interface EndedAction {
  /** `done`, `nothing` (there was nothing to do), `grown` (not approved), `exit 3`, `failed: CODE`. */
  readonly outcome: string;
  readonly counts: ActionCounts;
}
