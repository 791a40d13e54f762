/** Why a tenant stands as it does: cause, then hint. `name`: of the tenant. */
export const REASON_TEXTS = {
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
  moving: (name: string, to: string) =>
    `Its ledger moves to ${to}. If no move is under way, it was cut off: placement-sync fleet move ${name} --to ${to}`,
  otherVersion: (cause: string) =>
    `An update of the fleet is under way. ${cause} The tenant goes on by itself after that.`,
  waitsFor: (other: string) =>
    `Replicas ended during its run, so it may only run alone. It waits until ${other}, which has that place, has passed or ended: for a minute at most.`,
  paused: (name: string) => `It is paused. It runs again after: placement-sync fleet resume ${name}`,
  disabled: (name: string) =>
    `Its file says that it is not enabled. Set tenant.enabled in ${name}.yaml and apply it: placement-sync fleet apply DIR`,
};

/** Every text of the fleet's pages that the dashboard of a worker does not have. */
export const FLEET_TEXTS = {
  title: 'Fleet',
  tenants: 'Tenants',
  tenant: 'Tenant',
  state: 'State',
  states: {
    failing: 'failing',
    stale: 'stale',
    'needs-correction': 'needs correction',
    running: 'running',
    waiting: 'waiting',
    paused: 'paused',
    disabled: 'disabled',
    ok: 'ok',
  },
  stateMeanings: {
    failing: 'The last run failed.',
    stale: 'No run has succeeded for three periods.',
    'needs-correction': 'The last run left records that people must correct, or a guard holds an entity.',
    running: 'A replica runs it now.',
    waiting: 'It has not run yet, or its ledger is at another version than a replica.',
    paused: 'It does not run: somebody paused it.',
    disabled: 'It does not run: its file says so.',
    ok: 'The last run ended well.',
  },
  verdicts: {
    failing: (count: string) =>
      count === '1' ? 'One tenant needs attention' : `${count} tenants need attention`,
    fine: 'No tenant needs attention',
    empty: 'No tenants yet',
  },
  emptyHint: 'A tenant is a file. Add them with:',
  counts: 'Tenants by state',
  pending: 'Records to send',
  jobs: 'Jobs',
  jobsUnknown: 'The tables of the queue cannot be read. A replica creates them when it starts.',
  lane: 'Lane',
  ready: 'Waiting',
  active: 'Running',
  longestWait: 'Longest wait for a slot',
  replicas: 'Replicas at work',
  replicasNone: 'No replica runs a tenant at this moment.',
  replica: 'Replica',
  period: 'Period',
  schema: 'Schema of the ledger',
  ledger: 'Database of the ledger',
  since: 'Since',
  lastRun: 'Last run',
  noRun: 'No run yet.',
  why: 'Why',
  message: 'Message',
  ended: 'Ended',
  took: 'Took',
  slice: 'slice ended with work left',
  nameContaining: 'Name contains',
  anyState: 'any',
  shown: (from: string, to: string, all: string) => `${from} to ${to} of ${all}`,
  noMatch: 'No tenant matches.',
  previous: 'Previous page',
  commands: 'Commands',
  commandMeanings: {
    sync: 'Runs it at once',
    pause: 'Lets no further run begin',
    resume: 'Lets it run again',
    status: 'Its records and what is wrong, where its file is. The file needs state.url and state.schema',
    apply: 'Takes changes of the files over, where they are',
  },
  notFound: 'Tenant not found',
  notFoundReason: 'There is no tenant of this name, or it was removed.',
  unavailableHint:
    'Check that the database is running and that fleet.database.url is correct. Then this page works again.',
};
