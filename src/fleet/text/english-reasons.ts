/** Why a tenant stands as it does: cause, then hint. In English. `name`: of the tenant. */
export const ENGLISH_REASONS = {
  /** `message`: null when the run left none. */
  failed: (exitCode: string, message: string | null) =>
    message === null
      ? `The last run ended with exit code ${exitCode}.`
      : `The last run failed (exit code ${exitCode}): ${message}`,
  failedHints: {
    1: () => 'The next run tries again by itself.',
    2: (name: string) => `Correct ${name}.yaml and apply it: placement-sync fleet apply DIR`,
    5: () => 'Nothing is lost. Check its credentials, or wait for the platform.',
    6: () =>
      'Check whether a worker or a CronJob syncs it beside the fleet. After a kill the lease ends by itself.',
  },
  otherHint: (name: string) =>
    `Look at its state, with state.url and state.schema in the file: placement-sync status --config ${name}.yaml`,
  toCorrect: (name: string) =>
    `Some of its records need correction. Their list, with state.url and state.schema in the file: placement-sync status --invalid --config ${name}.yaml`,
  held: (name: string) =>
    `A guard holds changes that look wrong. Read why, then correct the source or approve them, with state.url and state.schema in the file: placement-sync status --config ${name}.yaml`,
  staleNeverRan:
    'No replica has run it since it was added. Check that replicas run: placement-sync fleet status',
  staleSending: (left: string | null) =>
    `It is still sending, one slice after the other${left === null ? '' : ` (${left} left)`}. If that takes too long, ask the platform for a higher rate.`,
  staleReading: (name: string) =>
    `Reading its source takes longer than a slice, or hangs. It has its turns among the large tenants now. Look for slow queries or locks, with state.url and state.schema in the file: placement-sync doctor --config ${name}.yaml`,
  staleUnderWay: (replica: string) =>
    `${replica} runs it, but no run of it has succeeded for three periods. Give it a longer period if it needs one.`,
  staleNobody:
    'No run of it has ended well for three periods, and none failed. Check that replicas run and that jobs do not pile up.',
  running: (replica: string) => `${replica} runs it.`,
  waiting: (name: string) =>
    `It has not run yet. A replica takes it within its period; at once with: placement-sync fleet sync ${name}`,
  paused: (name: string) => `It is paused. It runs again after: placement-sync fleet resume ${name}`,
  disabled: (name: string) =>
    `Its file says that it is not enabled. Set tenant.enabled in ${name}.yaml and apply it: placement-sync fleet apply DIR`,
};
