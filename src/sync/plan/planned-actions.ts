/** What a run would do at the platform, numbers of records. */
export interface PlannedActions {
  readonly create: number;
  readonly update: number;
  readonly close: number;
  readonly delete: number;
  /** To be sent already before this plan. */
  readonly before: number;
  /** Vanished records that the platform keeps. */
  readonly kept: number;
  /** Rows with errors: they are not sent. */
  readonly invalid: number;
}

const NAMES = ['create', 'update', 'close', 'delete', 'before', 'kept', 'invalid'] as const;

/** Of all entities together. Pure. */
export function sumOfActions(all: readonly PlannedActions[]): PlannedActions {
  const sums = NAMES.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)]);
  return Object.fromEntries(sums) as Readonly<Record<(typeof NAMES)[number], number>>;
}
