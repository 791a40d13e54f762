import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/cli/compose/package-info.js';
import { engineError, isEngineGone, warnSeldom } from '../../../src/features/fleet/keep-engine.js';
import { checkNode, openJobQueue, withoutEngine } from '../../../src/features/fleet/open-job-queue.js';

describe('check node', () => {
  test.each(['20.19.0', '20.20.2', '22.11.0', '18.0.0'])(
    'Node %s is too old for a fleet, which says what to do',
    (version) => {
      expect(() => checkNode(version)).toThrow(
        expect.objectContaining({
          code: 'usage',
          scope: 'usage',
          message: `A fleet needs Node 22.12 or later; this is Node ${version}.`,
          hint: expect.stringContaining('Node 24') as string,
        }),
      );
    },
  );

  test.each(['22.12.0', '22.20.1', '23.0.0', '24.3.0', '100.0.0'])('Node %s is new enough', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  test('a missing package is an error of use, too', () => {
    expect(withoutEngine(new Error('Cannot find package'))).toMatchObject({ code: 'usage', scope: 'usage' });
  });

  test.runIf(Number(process.versions.node.split('.')[0]) < 22)(
    'on an old Node the engine says so, before it looks for its package or its database',
    async () => {
      const opening = openJobQueue({
        url: 'postgres://nobody@127.0.0.1:1/none',
        poolMax: 4,
        schema: 'fleet_jobs',
        clock: systemClock,
        emit: () => undefined,
      });
      await expect(opening).rejects.toMatchObject({ code: 'usage', scope: 'usage' });
    },
  );
});

describe('engine error', () => {
  const pgError = (message: string, code: string) => Object.assign(new Error(message), { code });

  test.each([
    pgError('relation "fleet_jobs.queue" does not exist', '42P01'),
    pgError('schema "fleet_jobs" does not exist', '3F000'),
    pgError('function fleet_jobs.job_now() does not exist', '42883'),
    // As events carry errors.
    { message: 'relation "fleet_jobs.queue" does not exist', code: '42P01' },
    new Error('Queue sync does not exist'),
    new Error('Queue large not found'),
  ])('%o means that the schema of the engine is gone', (error) => {
    expect(isEngineGone(error)).toBe(true);
  });

  test.each([
    pgError('permission denied for table queue', '42501'),
    pgError('connect ECONNREFUSED', 'ECONNREFUSED'),
    null,
  ])('%o does not', (error) => {
    expect(isEngineGone(error)).toBe(false);
  });

  test('a warning says nothing of the connection', () => {
    const refused = engineError(pgError('connect ECONNREFUSED 10.1.2.3:5432', 'ECONNREFUSED'));
    expect(refused).toMatchObject({ code: 'state-unavailable' });
    const wrong = engineError(
      pgError('no pg_hba.conf entry for host "10.1.2.3", user "fleet", database "db"', '28000'),
    );
    const bad = engineError(new Error('cannot parse postgres://fleet:hunter2@10.1.2.3/db'));
    for (const { message } of [refused, wrong]) expect(message).not.toMatch(/10\.1\.2\.3|"fleet"/);
    expect(bad.message).not.toContain('hunter2');
  });

  test('a warning has no more of a long message than a line of a log holds, and no part of a password', () => {
    const { message } = engineError(
      new Error(`${'a'.repeat(970)} postgres://fleet:hunter2${'b'.repeat(300_000)}@h/db`),
    );
    expect(message.length).toBeLessThan(1_100);
    expect(message).not.toContain('hunter2');
  });

  test('the same warning is said once in ten minutes', () => {
    const said: string[] = [];
    let now = 0;
    const warn = warnSeldom(
      { monotonic: () => now },
      (event) => event.type === 'warning' && said.push(event.message),
    );
    const one = { message: 'one', hint: undefined };
    warn(one);
    warn(one);
    warn({ message: 'two', hint: undefined });
    expect(said).toEqual(['one', 'two']);
    now = 600_001;
    warn(one);
    expect(said).toEqual(['one', 'two', 'one']);
  });
});
