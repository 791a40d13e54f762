import type { Mutant } from '../mutant.js';

const TROUBLES = 'src/domain/trouble/find-troubles.ts';
const TROUBLES_TEST = 'test/domain/trouble/find-troubles.test.ts';
const VERIFY = 'src/sync/read-back/verify-exit-code.ts';
const VERIFY_TEST = 'test/sync/read-back/verify-exit-code.test.ts';
const DEMO = 'src/cli/demo-exit-code.ts';
const DEMO_TEST = 'test/cli/demo-exit-code.test.ts';

/** What is reported: troubles, exit codes, metrics, notices. */
export const REPORTING: readonly Mutant[] = [
  {
    promise: null,
    rule: 'Every record that was sent has one last outcome: accepted, rejected or deferred.',
    file: TROUBLES,
    from: 'sent !== accepted + rejected + deferred',
    to: 'sent > accepted + rejected + deferred',
    test: TROUBLES_TEST,
  },
  {
    promise: null,
    rule: 'An entity without a success is stale since its last sweep.',
    file: TROUBLES,
    from: 'trouble.since ?? trouble.lastSweepAt',
    to: 'trouble.since',
    test: TROUBLES_TEST,
  },
  {
    promise: null,
    rule: 'An entity with a success is stale since then, however lately it was swept.',
    file: TROUBLES,
    from: 'trouble.since ?? trouble.lastSweepAt',
    to: 'trouble.lastSweepAt',
    test: TROUBLES_TEST,
  },
  {
    promise: null,
    rule: 'A stopped push holds its entity, in every report.',
    file: 'src/domain/trouble/is-held.ts',
    from: ` || trouble.kind === 'push-held'`,
    to: '',
    test: TROUBLES_TEST,
    title: 'an entity is held by either hold',
  },
  {
    promise: null,
    rule: 'A field that differs in most records, and is shown, counts as a difference.',
    file: 'src/sync/read-back/entity-findings.ts',
    from: 'isUnshown(counted) && !named.includes(field)',
    to: 'isUnshown(counted) || !named.includes(field)',
    test: 'test/sync/read-back/verify.test.ts',
  },
  {
    promise: null,
    rule: 'A record that is known to differ stays a problem until the platform has accepted it again.',
    file: 'src/state/ledger/status-sql.ts',
    from: 's.acknowledged_at < s.drifted_at',
    to: 's.acknowledged_at > s.drifted_at',
    test: 'test/sync/read-back/drift.test.ts',
  },
  {
    promise: null,
    rule: 'A verify that a signal ended has exit code 1, whatever it found.',
    file: VERIFY,
    from: 'if (interrupted || ofRepair === 1) return 1;',
    to: 'if (ofRepair === 1) return 1;',
    test: VERIFY_TEST,
  },
  {
    promise: null,
    rule: 'A failed repair counts before a stopped area.',
    file: VERIFY,
    from: 'if (interrupted || ofRepair === 1) return 1;',
    to: 'if (interrupted) return 1;',
    test: VERIFY_TEST,
  },
  {
    promise: null,
    rule: 'A stopped area counts before a difference, in the repair too.',
    file: VERIFY,
    from: 'if (ofRepair === 5) return 5;',
    to: '',
    test: VERIFY_TEST,
  },
  {
    promise: null,
    rule: 'The clock skew is positive when our clock is ahead.',
    file: 'src/telemetry/create-metrics.ts',
    from: 'skew.set({ area }, clockSkewMs / 1000)',
    to: 'skew.set({ area }, -clockSkewMs / 1000)',
    test: 'test/telemetry/create-metrics.test.ts',
  },
  {
    promise: null,
    rule: 'Of two processes that find the same trouble at once, one notifies.',
    file: 'src/state/runs/notice-store.ts',
    from: `await statements.query('lock table :schema:.notice in exclusive mode');`,
    to: '',
    test: 'test/state/runs/notice-store.test.ts',
    title: 'of two processes that find the same trouble at once',
  },
  {
    promise: null,
    rule: 'A run that another one keeps from working notifies of nothing.',
    file: 'src/cli/commands/run.ts',
    from: 'if (!busy) await notices.notifyOnce(context);',
    to: 'await notices.notifyOnce(context);',
    test: 'test/cli/notices.test.ts',
    title: 'a run that another one keeps from working notifies of nothing',
  },
  {
    promise: null,
    rule: 'A demo whose second sync sends everything again has failed.',
    file: DEMO,
    from: ' &&\n    sent(second) < 10',
    to: '',
    test: DEMO_TEST,
  },
  {
    promise: null,
    rule: 'A demo whose sync ends otherwise than with broken records has failed.',
    file: DEMO,
    from: 'finishedAsExpected(second) &&',
    to: '',
    test: DEMO_TEST,
  },
];
