import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyProject } from '../copy-project.js';
import { chaos } from './chaos.js';
import { STEPS } from './steps.js';

interface Breakage {
  /** Which rule is broken. */
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The step at which a kill shows it. */
  readonly step: string;
  /** At which request of the process; default: one of the first. */
  readonly occurrence?: number;
  readonly kills: number;
  readonly noticed: RegExp;
}

const BREAKAGES: readonly Breakage[] = [
  {
    rule: 'acknowledges when a record is claimed, and not when it was accepted',
    file: 'src/core/ledger/queue/queue.ts',
    from: 'sent_hash = s.desired_hash, request_open',
    to: 'sent_hash = s.desired_hash, acknowledged_hash = s.desired_hash, acknowledged_at = now(), request_open',
    step: 'push: claim, committed',
    kills: 1,
    noticed: /the acknowledged payload was never accepted/,
  },
  {
    rule: 'does not take over the claims of a dead process',
    file: 'src/core/ledger/queue/queue.ts',
    from: 'let ended = 0;',
    to: 'let ended = 0; entities.length = 0;',
    step: 'push: request sent, never arrives',
    kills: 1,
    noticed: /is pending|should be/,
  },
  {
    rule: 'does not confirm what was cut off',
    file: 'src/core/ledger/status-sql.ts',
    from: 'return `case when ${s}.claim_token is null or',
    to: 'return `case when true or',
    step: 'push: request sent, arrives after a newer one',
    kills: 6,
    noticed: /the platform holds something else|should be/,
  },
  {
    rule: 'keeps outcomes until all is sent',
    file: 'src/core/push/attempt.ts',
    from: 'const GROUP_MS = 200;',
    to: 'const GROUP_MS = 60_000;',
    step: 'push: reply sent',
    occurrence: 50,
    kills: 1,
    noticed: /outcomes were not written/,
  },
  {
    rule: 'confirms what was answered',
    file: 'src/core/ledger/queue/record-outcomes.ts',
    from: 'confirm_at = case when s.confirm_at <= s.attempted_at then null else s.confirm_at end',
    to: 'confirm_at = case when s.confirm_at <= s.attempted_at then null else coalesce(s.confirm_at, now()) end',
    step: 'push: claim, committed',
    kills: 1,
    noticed: /times without need/,
  },
  {
    rule: 'takes its leases for longer than configured',
    file: 'src/core/ledger/lease.ts',
    from: 'clock_timestamp() + ${ttlMs} *',
    to: 'clock_timestamp() + 10 * ${ttlMs} *',
    step: 'push: claim, committed',
    kills: 1,
    noticed: /lease blocks for/,
  },
  {
    rule: 'counts what it has not sent',
    file: 'src/core/ledger/runs.ts',
    from: 'counters = cast(:entities as jsonb)',
    // Escaped, because one of the two places is between single quotes.
    to: String.raw`counters = jsonb_set(cast(:entities as jsonb), \'{vacancies,sent}\', \'1000\')`,
    step: 'push: claim, committed',
    kills: 1,
    noticed: /does not balance/,
  },
  {
    rule: 'leaves the run of a dead process open',
    file: 'src/core/ledger/runs.ts',
    from: `where finished_at is null`,
    to: `where finished_at is null and false`,
    step: 'push: claim, committed',
    kills: 1,
    noticed: /never ended/,
  },
];

test.each(BREAKAGES)(
  'the harness notices a product that $rule',
  async ({ file, from, to, step, occurrence, kills, noticed }) => {
    const copy = copyProject(['src', 'migrations', 'build.ts', 'package.json', 'tsconfig.json']);
    onTestFinished(() => copy.remove());
    copy.patch(file, from, to);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: copy.folder });

    const { problems } = await chaos({
      seed: 1,
      kills,
      workerKills: 0,
      // What is late is overtaken for certain when there is time.
      timeoutMs: occurrence === undefined && kills > 1 ? 20_000 : 2_500,
      ...(occurrence === undefined ? {} : { vacancies: occurrence + 10 }),
      steps: STEPS.filter(({ name }) => name === step).map((one) =>
        one.at === 'platform' && occurrence !== undefined ? { ...one, occurrence } : one,
      ),
      main: join(copy.folder, 'dist/src/cli/main.js'),
    });
    expect(problems.join('\n')).toMatch(noticed);
  },
);
