import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import { warnSeldom } from '../../../src/features/fleet/keep-engine.js';
import {
  createSliceTime,
  isSweepFresh,
  putOffMs,
  type RunSlice,
  type TenantWork,
  watchPause,
  workTenant,
} from '../../../src/features/fleet/work-tenant.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import { untilAborted } from '../../../src/core/runtime/time.js';
import { fakeClock, noWait } from '../../fake-time.js';
import type {
  Lane,
  TenantDefinition,
  TenantRun,
  TenantSummary,
} from '../../../src/features/fleet/state/types.js';

describe('work tenant', () => {
  const RUN: TenantRun = {
    startedAt: new Date(0),
    finishedAt: new Date(1),
    outcome: 'complete',
    exitCode: 0,
    message: null,
    pending: 0,
    usedUpSlice: false,
  };

  /** A tenant in memory, and the job of it. Waits take no time. */
  function fixture(runSlice: RunSlice, wait: Clock['sleep'] = noWait()) {
    const ended: TenantRun[] = [];
    const events: SyncEvent[] = [];
    const sleeps: number[] = [];
    const stop = new AbortController();
    const tenant = {
      mayRun: true,
      lane: 'sync' as Lane,
      /** Where its jobs go; null: it may not run; undefined: where this one is. */
      goesTo: undefined as Lane | null | undefined,
      mayGoOn: (_hasProgressed?: boolean) => Promise.resolve(true),
      failures: [] as unknown[],
      ends: 0,
      wasCut: false,
    };
    const putOff: boolean[] = [];
    const clock = {
      ...fakeClock(() => 0),
      sleep: (ms: number, signal: AbortSignal) => {
        sleeps.push(ms);
        return wait(ms, signal);
      },
    };
    const fails = () => {
      const failure = tenant.failures.shift();
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (failure !== undefined) throw failure;
    };
    let here: Lane = 'sync';
    const work: TenantWork = {
      tenants: {
        laneOf: () => Promise.resolve(tenant.goesTo === undefined ? here : tenant.goesTo),
        begin: async (name) => {
          await Promise.resolve();
          fails();
          if (!tenant.mayRun) return null;
          return {
            summary: { name, revision: 3, periodMs: 600_000 } as TenantSummary,
            definition: { name } as TenantDefinition,
            ends: tenant.ends,
            wasCut: tenant.wasCut,
            goesOn: tenant.ends > 0,
          };
        },
        end: async (_name, _replica, run, { isPutOff = false } = {}) => {
          await Promise.resolve();
          fails();
          ended.push(run);
          putOff.push(isPutOff);
          return tenant.lane;
        },
        mayGoOn: (_name, _revision, hasProgressed) => tenant.mayGoOn(hasProgressed),
      },
      runSlice,
      replica: 'one',
      clock,
      warn: warnSeldom(clock, (event) => events.push(event)),
    };
    const run = (lane: Lane = 'sync') => {
      here = lane;
      return workTenant(work, { id: 'job', lane, tenant: 'acme', signal: stop.signal });
    };
    return { tenant, ended, putOff, events, sleeps, stop, run };
  }

  const unavailable = () => new SyncError('state-unavailable', 'The database is away.', { scope: 'run' });

  test('a run that is complete needs no other job; one that used up its slice goes to the lane that the table says', async () => {
    const complete = fixture(() => Promise.resolve(RUN));
    expect(await complete.run()).toEqual({ again: null });
    expect(complete.ended).toEqual([RUN]);
    const slice = fixture(() => Promise.resolve({ ...RUN, usedUpSlice: true }));
    slice.tenant.lane = 'large';
    expect(await slice.run()).toEqual({ again: 'large' });
  });

  test('a tenant whose ledger another process holds is tried again soon', async () => {
    const busy = fixture(() => Promise.resolve({ ...RUN, outcome: 'busy', exitCode: 6, pending: null }));
    expect(await busy.run()).toEqual({ again: 'sync', inMs: 5_000 });
    expect(busy.ended).toMatchObject([{ outcome: 'busy' }]);
  });

  test.each([
    ['older', 'is not migrated yet for the version of this replica. Run: placement-sync fleet migrate'],
    ['newer', 'is migrated for a newer version than this replica is.'],
  ])(
    'a ledger at an %s version than the replica keeps the run out, and is tried again soon',
    async (otherVersion, why) => {
      const details = { otherVersion };
      const apart = fixture(() =>
        Promise.reject(new SyncError('schema-not-migrated', 'Odd.', { scope: 'usage', details })),
      );
      expect(await apart.run()).toEqual({ again: 'sync', inMs: 15_000 });
      expect(apart.ended).toMatchObject([
        { outcome: 'other-version', usedUpSlice: false, message: expect.stringContaining(why) as string },
      ]);
      // A ledger that was lost is another matter.
      const lost = fixture(() =>
        Promise.reject(new SyncError('schema-not-migrated', 'It has no tables yet.', { scope: 'usage' })),
      );
      expect(await lost.run()).toEqual({ again: null });
      expect(lost.ended).toMatchObject([{ outcome: 'failed', exitCode: 2 }]);
    },
  );

  test('what a run gets done is noted once, where ends of replicas were counted', async () => {
    const news: unknown[] = [];
    let over = () => {};
    const { tenant, run } = fixture(async (_tenant, _signal, progressed) => {
      progressed();
      await new Promise<void>((resolve) => (over = resolve));
      return RUN;
    });
    const answers = [() => Promise.reject(unavailable()), () => Promise.resolve(true)];
    tenant.mayGoOn = (hasProgressed) => {
      news.push(hasProgressed);
      if (news.length === 4) over();
      return (answers.shift() ?? (() => Promise.resolve(true)))();
    };
    Object.assign(tenant, { ends: 2, wasCut: true });
    await run();
    expect(news).toEqual([true, true, false, false]);
    news.length = 0;
    tenant.ends = 0;
    await run();
    expect(news).toEqual([false, false, false, false]);
  });

  test('a tenant during whose runs three replicas ended is put off: it says why, and waits longer each time', async () => {
    let runs = 0;
    const { tenant, ended, putOff, events, run } = fixture(() => {
      runs += 1;
      return Promise.resolve(RUN);
    });
    Object.assign(tenant, { ends: 3, wasCut: true });
    expect(await run()).toEqual({ again: 'sync', inMs: 30_000 });
    expect(ended).toMatchObject([{ outcome: 'failed', exitCode: 1, usedUpSlice: false }]);
    expect(ended[0]?.message).toContain('3 replicas in a row ended during its run: ');
    expect(putOff).toEqual([true]);
    expect(events).toMatchObject([{ type: 'warning', message: expect.stringContaining('acme') as string }]);
    tenant.wasCut = false;
    expect(await run()).toEqual({ again: null });
    expect(runs).toBe(1);
    expect(putOff).toEqual([true, false]);
    const summary = { periodMs: 600_000 };
    expect(putOffMs({ ends: 2, wasCut: true, summary })).toBe(0);
    expect(putOffMs({ ends: 5, wasCut: true, summary })).toBe(90_000);
    expect(putOffMs({ ends: 99, wasCut: true, summary })).toBe(600_000);
    expect(putOffMs({ ends: 99, wasCut: true, summary: { periodMs: 1_000 } })).toBe(30_000);
  });

  test('a job that was sent before its tenant moved is sent on, and takes no slot of the others', async () => {
    const moved = fixture(() => Promise.reject(new Error('it ran')));
    moved.tenant.goesTo = 'large';
    expect(await moved.run('sync')).toEqual({ again: 'large' });
    moved.tenant.goesTo = null;
    expect(await moved.run('sync')).toEqual({ again: null });
    expect(moved.ended).toEqual([]);
  });

  test('a tenant that may not run is not run', async () => {
    const found = fixture(() => Promise.reject(new Error('it ran')));
    found.tenant.mayRun = false;
    expect(await found.run()).toEqual({ again: null });
    expect(found.ended).toEqual([]);
  });

  test('a broken tenant is noted with its message, without what is secret, and ends nothing else', async () => {
    const invalid = new SyncError('config-invalid', 'source.url is missing.', { scope: 'usage' });
    const broken = fixture(() => Promise.reject(invalid));
    expect(await broken.run()).toEqual({ again: null });
    expect(broken.ended).toMatchObject([
      { outcome: 'failed', exitCode: 2, message: 'source.url is missing.' },
    ]);
    expect(broken.events).toMatchObject([
      { type: 'warning', message: 'Tenant acme: source.url is missing.' },
    ]);

    const defect = fixture(() => Promise.reject(new Error('postgres://hr:hunter2@db/hr is odd')));
    await defect.run();
    expect(defect.ended).toMatchObject([{ exitCode: 1, usedUpSlice: false }]);
    expect(JSON.stringify([defect.ended, defect.events])).not.toContain('hunter2');

    const endless = fixture(() =>
      Promise.reject(new SyncError('state-failed', 'a'.repeat(3_000_000), { scope: 'run' })),
    );
    await endless.run();
    expect(endless.ended[0]?.message).toHaveLength(2_000);
    expect(JSON.stringify(endless.events).length).toBeLessThan(2_200);
  });

  test('a tenant that may not go on ends early, and is looked at again: it may have changed', async () => {
    const changed = fixture(async (_definition, signal) => {
      await untilAborted(signal);
      return { ...RUN, outcome: 'aborted' };
    });
    const answers: (() => Promise<boolean>)[] = [
      () => Promise.resolve(true),
      () => Promise.reject(unavailable()),
      () => Promise.resolve(false),
    ];
    changed.tenant.mayGoOn = () => (answers.shift() ?? (() => Promise.resolve(false)))();
    expect(await changed.run()).toEqual({ again: 'sync' });
    expect(changed.ended).toMatchObject([{ outcome: 'aborted' }]);
    expect(answers).toEqual([]);
    expect(changed.sleeps.slice(0, 3)).toEqual([5_000, 5_000, 5_000]);
  });

  test('when the job ends, its slice ends and is noted, and the job is handed back', async () => {
    const stopped: ReturnType<typeof fixture> = fixture(async (_definition, signal) => {
      stopped.stop.abort();
      await untilAborted(signal);
      return { ...RUN, outcome: 'aborted' };
    });
    expect(await stopped.run('large')).toEqual({ again: 'sync' });
    expect(stopped.ended).toHaveLength(1);
    // Not even begun.
    expect(await stopped.run('large')).toEqual({ again: 'large' });
    expect(stopped.ended).toHaveLength(1);
  });

  test('a fleet database that is away is waited for, longer and longer, at the begin and at the end', async () => {
    const away = fixture(() => {
      away.tenant.failures = [unavailable()];
      return Promise.resolve(RUN);
    });
    away.tenant.failures = [unavailable(), unavailable(), unavailable()];
    expect(await away.run()).toEqual({ again: null });
    expect(away.ended).toEqual([RUN]);
    expect(away.sleeps.filter((ms) => ms !== 5_000)).toEqual([750, 1_500, 3_000, 750]);
    expect(away.events).toMatchObject([{ message: 'The database is away.' }]);
  });

  test('another failure of the fleet database drops the job: its schedule brings the next one', async () => {
    const failed = fixture(() => Promise.resolve(RUN));
    failed.tenant.failures = [new SyncError('state-failed', 'No such column.', { scope: 'run' })];
    expect(await failed.run()).toEqual({ again: null });
    expect(failed.events).toMatchObject([{ message: 'Tenant acme: No such column.' }]);
  });

  test('a signal that lives as long as the replica keeps no listener of a job', async () => {
    const { run, stop } = fixture(() => Promise.resolve(RUN));
    let listeners = 0;
    const { addEventListener: add, removeEventListener: remove } = stop.signal;
    stop.signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add.apply(stop.signal, args);
    };
    stop.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove.apply(stop.signal, args);
    };
    for (let n = 0; n < 20; n += 1) await run();
    expect(listeners).toBe(0);
  });
});

describe('create slice time', () => {
  const PUSHES: SyncEvent = { type: 'push-started', area: 'jobs', due: 3 };

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function opened(sweepIsBounded: boolean) {
    const seen: SyncEvent[] = [];
    return { seen, ...createSliceTime(1_000, { sweepIsBounded, emit: (event) => seen.push(event) }) };
  }

  test('the time for sending begins with the first push, however long the sweep took', () => {
    const time = opened(false);
    vi.advanceTimersByTime(60_000);
    expect([time.over.aborted, time.outgrown.aborted]).toEqual([false, false]);
    time.emit(PUSHES);
    vi.advanceTimersByTime(900);
    time.emit({ ...PUSHES, area: 'training' });
    expect(time.over.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(time.over.aborted).toBe(true);
    expect(time.seen).toHaveLength(2);
  });

  test('a sweep that is bounded ends when its time is over, and says where it begins again', () => {
    const time = opened(true);
    vi.advanceTimersByTime(999);
    expect(time.outgrown.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(time.outgrown.aborted).toBe(true);
    expect(time.seen).toEqual([
      {
        type: 'warning',
        message:
          'The sweep took longer than 1 s. It begins again in the lane of large tenants, where it may.',
      },
    ]);
  });

  test('a sweep that ended in time is not cut while its records are sent', () => {
    const time = opened(true);
    vi.advanceTimersByTime(900);
    time.emit(PUSHES);
    vi.advanceTimersByTime(60_000);
    expect([time.outgrown.aborted, time.over.aborted]).toEqual([false, true]);
  });

  test('a run that has ended leaves no timer', () => {
    const time = opened(true);
    time.end();
    const pushed = opened(true);
    pushed.emit(PUSHES);
    pushed.end();
    expect(vi.getTimerCount()).toBe(0);
    pushed.cut();
    expect(pushed.over.aborted).toBe(true);
  });
});

describe('is sweep fresh', () => {
  type Latest = Exclude<Parameters<typeof isSweepFresh>[0], undefined>;
  type Swept = Parameters<typeof isSweepFresh>[1][number];

  const PERIOD_MS = 600_000;
  const NOON = Date.parse('2026-03-02T12:00:00Z');
  const ENDED: Latest = { finishedAt: new Date(NOON), error: null };
  const HOLD = { guard: 'max-vanished' } as unknown as Swept['hold'];

  /** Swept so many minutes ago. */
  function swept(minutes: number, differs: Partial<Swept> = {}): Swept {
    const lastSweepAt = new Date(NOON - minutes * 60_000);
    return {
      readAt: '2026-03-02 12:00:00+00',
      lastSweepAt,
      fullSweepRequested: false,
      hold: null,
      ...differs,
    };
  }

  test('a slice only sends within a period of the last sweep, also if the sweep of all took longer than that', () => {
    expect(isSweepFresh(ENDED, [swept(5), swept(4)], PERIOD_MS)).toBe(true);
    expect(isSweepFresh(ENDED, [swept(45), swept(4)], PERIOD_MS)).toBe(true);
    expect(isSweepFresh(ENDED, [swept(45), swept(10)], PERIOD_MS)).toBe(false);
  });

  test.each<[string, Latest | undefined]>([
    ['was cut off', { ...ENDED, error: { code: 'interrupted', message: '' } }],
    ['never ended: its process was killed', { ...ENDED, finishedAt: null }],
    ['is not known', undefined],
  ])('it sweeps when the last run %s, however young the entities are that were swept', (_, latest) => {
    expect(isSweepFresh(latest, [swept(1), swept(1)], PERIOD_MS)).toBe(false);
  });

  test('it sweeps when an entity is asked to be swept in full, but not for one that is held', () => {
    expect(isSweepFresh(ENDED, [swept(1), swept(1, { fullSweepRequested: true })], PERIOD_MS)).toBe(false);
    const held = swept(1, { fullSweepRequested: true, hold: HOLD });
    expect(isSweepFresh(ENDED, [swept(1), held], PERIOD_MS)).toBe(true);
  });

  test('an entity that fails or is held since the first sweep asks for none before each slice', () => {
    expect(isSweepFresh(ENDED, [swept(1), swept(1, { lastSweepAt: null })], PERIOD_MS)).toBe(true);
    expect(isSweepFresh(ENDED, [swept(1, { lastSweepAt: null })], PERIOD_MS)).toBe(false);
  });
});

describe('watch pause', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a run is ended by a pause that is longer than it waits, and not by a shorter one or a look that fails', async () => {
    let left: () => Promise<number> = () => Promise.resolve(60_000);
    const tooLong = vi.fn();
    const end = watchPause(() => left(), 60_000, tooLong);
    await vi.advanceTimersByTimeAsync(20_000);
    left = () => Promise.reject(new Error('away'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tooLong).not.toHaveBeenCalled();
    left = () => Promise.resolve(60_001);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(tooLong).toHaveBeenCalledTimes(1);
    end();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tooLong).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
