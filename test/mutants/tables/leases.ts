import type { Mutant } from '../mutant.js';

const RATE = 'The rate is never exceeded';
const DATABASE = 'No database can block a run for ever';
const ONE = 'One process at a time';
const BACK = 'A state database that went back in time is noticed';
const SCHEDULE = 'A missed time of the schedule is made up for';
const LEDGER = 'One ledger, one platform';

const MOVE = 'A ledger moves without a lost or doubled record';

const LIMIT = 'src/platform/rate-limit.ts';
const LIMIT_TEST = 'test/platform/create-rate-limit.slow.test.ts';
const HOLD = 'src/sync/lease.ts';
const HOLD_TEST = 'test/sync/lease/hold-lease.test.ts';
const HELD = 'src/state/lease.ts';
const LEASES = 'src/state/lease.ts';
const RUN_SYNC = 'src/sync/run/run.ts';
const RUN_TEST = 'test/sync/run/run-sync.slow.test.ts';
const MOVE_LEDGER = 'src/state/fleet/move-ledger.ts';
const TENANTS = 'src/state/fleet/tenants.ts';
const MOVE_TEST = 'test/fleet/ledgers.test.ts';
const WORK_TENANT = 'src/fleet/work-tenant.ts';
const WORK_TENANT_TEST = 'test/fleet/work-tenant.test.ts';
const WORKER = 'src/service/run-worker.ts';
const WORKER_TEST = 'test/service/run-worker.slow.test.ts';

/** Who works, on which ledger, when, and how fast. */
export const LEASES_AND_RATE: readonly Mutant[] = [
  {
    promise: RATE,
    rule: 'A place is free again only a second after its last use.',
    file: LIMIT,
    from: 'endedAt + windowMs - 0.9 * Math.min',
    to: 'endedAt + 0.9 * windowMs - 0.9 * Math.min',
    test: LIMIT_TEST,
  },
  {
    promise: RATE,
    rule: 'A refusal of the platform halves the rate.',
    file: 'src/domain/learned-rate.ts',
    from: 'Math.max(LEAST, before / 2)',
    to: 'Math.max(LEAST, 0.98 * before)',
    test: 'test/domain/learned-rate.test.ts',
  },
  {
    promise: RATE,
    rule: 'What was learned spreads the starts.',
    file: LIMIT,
    from: 'startedAt + 1_000 / learned.perSecond',
    to: 'startedAt',
    test: LIMIT_TEST,
    title: 'spreads its starts at half of the rate',
  },
  {
    promise: RATE,
    rule: 'A round trip begins when the connection has taken the request, not before a stall.',
    file: LIMIT,
    from: 'const tripMs = endedAt - at;',
    to: 'const tripMs = endedAt - at + 100;',
    test: LIMIT_TEST,
    title: 'takes a stall before the write',
  },
  {
    promise: RATE,
    rule: 'A run claims nothing until the requests of the one before it are a second old.',
    file: 'src/sync/run/run.ts',
    from: 'if (due > 0) await clock.sleep(notBefore - clock.monotonic(), signal);',
    to: '',
    test: 'test/sync/run/push-all.test.ts',
  },
  {
    promise: RATE,
    rule: 'What becomes due during a push is kept back by the rate until then.',
    file: 'src/sync/run/run.ts',
    from: 'context.rateLimit(area, notBefore)',
    to: 'context.rateLimit(area, clock.monotonic())',
    test: 'test/sync/run/push-all.test.ts',
  },
  {
    promise: RATE,
    rule: 'A lease whose former holder may still go on is waited for.',
    file: 'src/sync/lease.ts',
    from: 'Math.max(0, QUIET_MS - idleMs)',
    to: 'Math.min(QUIET_MS, Math.max(0, QUIET_MS - idleMs))',
    test: 'test/sync/run/push-all.test.ts',
  },
  {
    promise: RATE,
    rule: 'A worker sends nothing while the former holder of its lease may still go on.',
    file: WORKER,
    from: '  await clock.sleep(quietUntil(leases.push, clock) - clock.monotonic(), ends);\n',
    to: '',
    test: WORKER_TEST,
    title: 'a worker on another copy of the database waits',
  },
  {
    promise: DATABASE,
    rule: 'A migration that Postgres ends in a deadlock is tried again.',
    file: 'src/state/database/migrate.ts',
    from: `['55P03', '40P01']`,
    to: `['55P03']`,
    test: 'test/state/database/migrate.slow.test.ts',
    title: 'ends in a deadlock',
  },
  {
    promise: DATABASE,
    rule: 'A signal ends a publication between two batches.',
    file: 'src/state/ledger/publish.ts',
    from: 'if (signal.aborted) throw interrupted();',
    to: '',
    test: 'test/state/ledger/staging.test.ts',
    title: 'a signal ends a publication between two batches',
  },
  {
    promise: ONE,
    rule: 'A statement of a holder checks the token.',
    file: HELD,
    from: 'and token = :token and nonce = :nonce',
    to: 'and nonce = :nonce',
    test: 'test/state/queue/queue.test.ts',
    title: 'a take-over under another',
  },
  {
    promise: ONE,
    rule: 'A statement of a holder checks the nonce.',
    file: HELD,
    from: 'and token = :token and nonce = :nonce',
    to: 'and token = :token',
    test: 'test/state/queue/queue.test.ts',
    title: 'a take-over under another',
  },
  {
    promise: ONE,
    rule: 'A publication looks at its lease in every batch.',
    file: 'src/state/ledger/publish.ts',
    from: 'await underLease((statements) =>\n          publishBatch(',
    to: 'await database.transaction((statements) => publishBatch(',
    test: 'test/state/ledger/staging.test.ts',
    title: 'a publication looks at its lease before every batch',
  },
  {
    promise: ONE,
    rule: 'The safe time of a lease counts from asking for it.',
    file: HOLD,
    from: 'acquired.lease, ttlMs, clock, asked)',
    to: 'acquired.lease, ttlMs, clock, clock.monotonic())',
    test: HOLD_TEST,
  },
  {
    promise: ONE,
    rule: 'The safe time of a renewed lease counts from asking for the renewal.',
    file: HOLD,
    from: 'safeUntil = asking + (ttlMs * 2) / 3',
    to: 'safeUntil = clock.monotonic() + (ttlMs * 2) / 3',
    test: HOLD_TEST,
  },
  {
    promise: ONE,
    rule: 'A statement that finds the lease lost ends all work under it.',
    file: HOLD,
    from: `if (error instanceof SyncError && error.code === 'lease-lost') end(error);`,
    to: '',
    test: HOLD_TEST,
  },
  {
    promise: ONE,
    rule: 'A run whose lease was lost has failed, also when nothing was under way.',
    file: RUN_SYNC,
    from: 'if (cause) throw cause;',
    to: '',
    test: RUN_TEST,
    title: 'a run whose lease is lost while nothing is under way',
  },
  {
    promise: BACK,
    rule: 'A resync of single records does not end the doubt of a whole entity.',
    file: 'src/sync/run/resync.ts',
    from: 'const doubt = keys === null ?',
    to: 'const doubt = keys !== null ?',
    test: 'test/sync/restored-state.slow.test.ts',
    title: 'ends the doubt of what it sends again, one of single records does not',
  },
  {
    promise: BACK,
    rule: 'A lease that was renewed less often than this process has seen is in doubt.',
    file: LEASES,
    from: '(renewed ? found - 1n : found) < known ||',
    to: '',
    test: 'test/state/lease/leases.slow.test.ts',
    title: 'a renewal that finds fewer renewals',
  },
  {
    promise: BACK,
    rule: 'A lease that was taken in another copy of the database is in doubt.',
    file: LEASES,
    from: 'if (taken.behind || (taken.elsewhere && !taken.known))',
    to: 'if (taken.behind)',
    test: 'test/state/lease/leases.slow.test.ts',
    title: 'a later process notices by the lease',
  },
  {
    promise: SCHEDULE,
    rule: 'A tenant that is paused is not due.',
    file: 'src/state/fleet/tenants.ts',
    from: "const MAY_RUN = 'enabled and not paused",
    to: "const MAY_RUN = 'enabled",
    test: 'test/state/fleet/tenants.test.ts',
    title: 'one that is paused, disabled or removed is not due',
  },
  {
    promise: SCHEDULE,
    rule: 'A time that came while no process ran is made up for once.',
    file: 'src/service/schedule.ts',
    from: '(stored?.overdue ?? atFirst)',
    to: '(stored === null && atFirst)',
    test: 'test/service/schedule.test.ts',
  },
  {
    promise: LEDGER,
    rule: 'A run looks at the environment again under its leases.',
    file: RUN_SYNC,
    from: `    await checkEnvironment(context);
    return recordRun(`,
    to: '    return recordRun(',
    test: RUN_TEST,
    title: 'a ledger that is given to another platform',
  },
  {
    promise: LEDGER,
    rule: 'A retry marks nothing in the ledger of another platform.',
    file: 'src/cli/commands/retry.ts',
    from: 'await refuseOtherEnvironment(context);',
    to: '',
    test: 'test/cli/exit-codes.process.test.ts',
    title: 'another base address is refused with 2',
  },
  {
    promise: LEDGER,
    rule: 'A worker refuses the ledger of another platform also where it would stand by.',
    file: WORKER,
    from: `  await checkEnvironment(context);
  const limits`,
    to: '  const limits',
    test: WORKER_TEST,
    title: 'a worker with the ledger of another platform ends at once',
  },
  {
    promise: LEDGER,
    rule: 'A standby looks at the environment again when its turn comes.',
    file: WORKER,
    from: `  await checkEnvironment(context);
  await warnOfDoubt`,
    to: '  await warnOfDoubt',
    test: WORKER_TEST,
    title: 'a standby looks again when its turn comes',
  },
  {
    promise: MOVE,
    rule: 'A run that holds a lease is waited for.',
    file: MOVE_LEDGER,
    from: 'if (held) return held.holder;',
    to: '',
    test: MOVE_TEST,
    title: 'a run that is under way is waited for',
  },
  {
    promise: MOVE,
    rule: 'While the ledger of a tenant moves, no run of it begins.',
    file: TENANTS,
    from: 'removed_at is null and move is null',
    to: 'removed_at is null',
    test: MOVE_TEST,
    title: 'a move that was cut off is undone',
  },
  {
    promise: MOVE,
    rule: 'A move that another one has followed changes the row no more.',
    file: TENANTS,
    from: `where name = :name and move ->> 'id' = :id and ledger = :from returning name`,
    to: 'where name = :name returning name',
    test: MOVE_TEST,
    title: 'a holder that was stopped and goes on later',
  },
  {
    promise: MOVE,
    rule: 'A ledger that came into force is not taken for a copy.',
    file: MOVE_LEDGER,
    from: `set holder = '', expires_at`,
    to: 'set expires_at',
    test: MOVE_TEST,
    title: 'a holder that was stopped and goes on later',
  },
  {
    promise: MOVE,
    rule: 'Only a ledger that this move has sealed is deleted.',
    file: MOVE_LEDGER,
    from: 'holders.some(({ holder }) => holder !== seal)',
    to: 'false',
    test: MOVE_TEST,
    title: 'a holder that was stopped and goes on later',
  },
  {
    promise: MOVE,
    rule: 'Numbers go on where the old ledger was.',
    file: MOVE_LEDGER,
    from: 'cast(:value as bigint), :isCalled)',
    to: '1, :isCalled and :value is null)',
    test: MOVE_TEST,
    title: 'a ledger moves as it is',
  },
  {
    promise: MOVE,
    rule: 'Where a new tenant goes does not depend on the order of the list.',
    file: 'src/domain/fleet.ts',
    from: '.update(`${ledger} ${tenant}`)',
    to: '.update(tenant)',
    test: 'test/config/fleet/load-fleet.test.ts',
    title: 'get about as many tenants each',
  },
  {
    promise: null,
    rule: 'A suspected tenant is cleared as soon as it gets something done, not at the next look.',
    file: WORK_TENANT,
    from: 'if (isSuspected && !hasProgressed) waiting.wake();',
    to: '',
    test: WORK_TENANT_TEST,
    title: 'is noted at once',
  },
  {
    promise: null,
    rule: 'A ledger of another version is left for a replica of that version.',
    file: WORK_TENANT,
    from: 'if (run.outcome === OTHER_VERSION) return { again: next, inMs: OTHER_VERSION_PAUSE_MS };',
    to: '',
    test: WORK_TENANT_TEST,
  },
];
