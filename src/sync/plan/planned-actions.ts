/** What a run would do at the platform, numbers of records. */
export interface PlannedActions {
  readonly create: number;
  readonly update: number;
  readonly close: number;
  readonly delete: number;
  /** To be sent already before this plan, also those whose parent comes only now. */
  readonly before: number;
  /** They stay behind, because their parent does not come. */
  readonly waiting: number;
  /** Vanished records that the platform keeps. */
  readonly kept: number;
  /** Changes of sweeps that a guard holds: nothing of them is applied. */
  readonly held: number;
  /** Rows with errors: they are not sent. */
  readonly invalid: number;
}

const NAMES = [
  'create',
  'update',
  'close',
  'delete',
  'before',
  'waiting',
  'kept',
  'held',
  'invalid',
] as const;

/** Of all entities together. Pure. */
export function sumOfActions(all: readonly PlannedActions[]): PlannedActions {
  const sums = NAMES.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)]);
  return Object.fromEntries(sums) as Readonly<Record<(typeof NAMES)[number], number>>;
}
