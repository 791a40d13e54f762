import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import { warnSeldom } from '../../../src/features/fleet/keep-engine.js';
import {
  createSliceTime,
  createTakeOvers,
  isSweepFresh,
  judgeEnds,
  type RunSlice,
  type TenantWork,
  watchPause,
  workTenant,
} from '../../../src/features/fleet/work-tenant.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { RunNews } from '../../../src/features/fleet/state/tenants.js';
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
      mayGoOn: (_news?: RunNews, _sweeping?: string | null) => Promise.resolve(true),
      sweeping: null as string | null,
      failures: [] as unknown[],
      ends: 0,
      wasCut: false,
      isFree: true,
    };
    const condemned: boolean[] = [];
    const monotonic = { ms: 0 };
    const clock = {
      ...fakeClock(() => 0),
      monotonic: () => monotonic.ms,
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
            sweeping: tenant.sweeping,
            wasCut: tenant.wasCut,
            goesOn: tenant.ends > 0,
          };
        },
        runAlone: () => Promise.resolve(tenant.isFree),
        end: async (_name, _replica, run, { isCondemned = false } = {}) => {
          await Promise.resolve();
          fails();
          ended.push(run);
          condemned.push(isCondemned);
          return tenant.lane;
        },
        mayGoOn: (_name, _revision, news, sweeping) => tenant.mayGoOn(news, sweeping),
      },
      runSlice,
      replica: 'one',
      clock,
      warn: warnSeldom(clock, (event) => events.push(event)),
      takeOvers: createTakeOvers({ sleep: (_ms, signal) => untilAborted(signal ?? stop.signal) }),
    };
    const onBegun = vi.fn();
    const run = (lane: Lane = 'sync', isTakenOver = false) => {
      here = lane;
      return workTenant(work, { id: 'job', lane, tenant: 'acme', isTakenOver, signal: stop.signal, onBegun });
    };
    return { tenant, ended, condemned, events, sleeps, stop, run, onBegun, monotonic };
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

  test('a tenant whose replica ended twice runs alone; while the place is taken it asks again soon', async () => {
    const news: unknown[] = [];
    let runs = 0;
    let over = () => {};
    const { tenant, ended, run } = fixture(async () => {
      runs += 1;
      await new Promise<void>((resolve) => (over = resolve));
      return RUN;
    });
    tenant.mayGoOn = (told) => {
      news.push(told);
      if (news.length === 3) over();
      return Promise.resolve(true);
    };
    Object.assign(tenant, { ends: 1, wasCut: true });
    await run();
    expect(news).toEqual(['none', 'none', 'none']);
    Object.assign(tenant, { ends: 2, isFree: false });
    expect(await run()).toEqual({ again: 'sync', inMs: 1_000 });
    expect([runs, ended.length]).toEqual([1, 1]);
    tenant.isFree = true;
    news.length = 0;
    expect(await run()).toEqual({ again: null });
    expect(news).toEqual(['alone', 'alone', 'alone']);
  });

  test('what a run gets done is said once, and then nothing is suspected any more', async () => {
    const news: unknown[] = [];
    let over = () => {};
    const { tenant, run } = fixture(async (_tenant, _signal, progressed) => {
      progressed();
      await new Promise<void>((resolve) => (over = resolve));
      return RUN;
    });
    Object.assign(tenant, { ends: 2, wasCut: true });
    const answers = [() => Promise.reject(unavailable()), () => Promise.resolve(true)];
    tenant.mayGoOn = (told) => {
      news.push(told);
      if (news.length === 4) over();
      return (answers.shift() ?? (() => Promise.resolve(true)))();
    };
    await run();
    expect(news).toEqual(['progress', 'progress', 'none', 'none']);
  });

  test('what a suspected tenant gets done is noted at once: a kill before the next look does not count', async () => {
    const news: unknown[] = [];
    let isNoted = () => {};
    const noted = new Promise<void>((resolve) => (isNoted = resolve));
    const { tenant, run } = fixture(
      async (_tenant, _signal, progressed) => {
        progressed();
        await noted;
        return RUN;
      },
      // No look comes by itself.
      (_ms, signal = new AbortController().signal) => untilAborted(signal),
    );
    Object.assign(tenant, { ends: 1, wasCut: true });
    tenant.mayGoOn = (said) => {
      news.push(said);
      isNoted();
      return Promise.resolve(true);
    };
    await run();
    expect(news).toEqual(['progress']);
  }, 10_000);

  test('what was being read when a replica ended is remembered: only who passes it is no suspect any more', async () => {
    const told: unknown[] = [];
    let wakes = () => {};
    const { tenant, run } = fixture(
      async (_tenant, _signal, progressed, reads) => {
        for (const entity of ['companies', 'vacancies']) {
          reads(entity);
          await new Promise<void>((resolve) => (wakes = resolve));
          progressed(entity);
        }
        await new Promise<void>((resolve) => (wakes = resolve));
        return RUN;
      },
      // No look comes by itself.
      (_ms, signal = new AbortController().signal) => untilAborted(signal),
    );
    tenant.mayGoOn = (news, sweeping) => {
      told.push([news, sweeping]);
      wakes();
      return Promise.resolve(true);
    };
    Object.assign(tenant, { ends: 1, wasCut: true, sweeping: 'vacancies' });
    await run();
    expect(told).toEqual([
      ['none', 'companies'],
      ['none', 'vacancies'],
      ['progress', undefined],
    ]);
    // A record that was accepted passes whatever was read.
    told.length = 0;
    const sent = fixture(async (_tenant, _signal, progressed) => {
      progressed('companies');
      progressed();
      await new Promise<void>((resolve) => (wakes = resolve));
      return RUN;
    });
    Object.assign(sent.tenant, { mayGoOn: tenant.mayGoOn, ends: 1, wasCut: true, sweeping: 'vacancies' });
    await sent.run();
    expect(told[0]).toEqual(['progress', undefined]);
  }, 10_000);

  test('who has run alone for a minute without ending its replica is no suspect any more, and goes on', async () => {
    const news: unknown[] = [];
    let over = () => {};
    const hanging = fixture(async () => {
      await new Promise<void>((resolve) => (over = resolve));
      return RUN;
    });
    hanging.tenant.mayGoOn = (told) => {
      hanging.monotonic.ms += 25_000;
      news.push(told);
      if (news.length === 5) over();
      return Promise.resolve(true);
    };
    Object.assign(hanging.tenant, { ends: 2, wasCut: true });
    expect(await hanging.run()).toEqual({ again: null });
    expect(news).toEqual(['alone', 'alone', 'alone', 'progress', 'none']);
  });

  test('runs that another replica left begin two at a time: the next when one has got something done, or ended', async () => {
    const begun: { progressed: () => void; end: () => void }[] = [];
    const { stop, run, onBegun } = fixture(
      (_tenant, _signal, progressed) =>
        new Promise((resolve) => begun.push({ progressed, end: () => resolve(RUN) })),
      (_ms, signal = new AbortController().signal) => untilAborted(signal),
    );
    const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
    const left = [1, 2, 3, 4, 5].map(() => run('sync', true));
    await settled();
    expect(begun).toHaveLength(2);
    const own = run();
    await settled();
    expect(begun, 'a run that nobody left does not wait').toHaveLength(3);
    expect(onBegun, 'for the others: it does not keep the queue waiting').toHaveBeenCalledTimes(1);
    begun[0]?.progressed();
    begun[0]?.progressed();
    await settled();
    expect(begun).toHaveLength(4);
    expect(onBegun).toHaveBeenCalledTimes(2);
    begun[1]?.end();
    await settled();
    expect(begun).toHaveLength(5);
    stop.abort();
    begun.forEach(({ end }) => end());
    expect(await Promise.all([...left, own])).toContainEqual({ again: 'sync' });
    expect(begun).toHaveLength(5);
  });

  test('a slow one does not keep the others waiting for long', async () => {
    const ends: (() => void)[] = [];
    const enter = createTakeOvers({ sleep: () => new Promise((resolve) => ends.push(resolve)) });
    const { signal } = new AbortController();
    const onLeft = vi.fn();
    await Promise.all([enter(signal, onLeft), enter(signal, onLeft)]);
    const third = enter(signal, onLeft);
    expect(onLeft).not.toHaveBeenCalled();
    ends[0]?.();
    expect(await third).not.toBeNull();
    expect(onLeft).toHaveBeenCalledTimes(1);
  });

  test('only a tenant that was alone is condemned: it says why, and comes back after a pause that grows', async () => {
    let runs = 0;
    const { tenant, ended, condemned, events, run } = fixture(() => {
      runs += 1;
      return Promise.resolve(RUN);
    });
    Object.assign(tenant, { ends: 3, wasCut: true, sweeping: 'vacancies' });
    expect(await run()).toEqual({ again: 'sync', inMs: 30_000 });
    expect(ended).toMatchObject([{ outcome: 'failed', exitCode: 1, usedUpSlice: false }]);
    expect(ended[0]?.message).toContain('3 replicas in a row ended during its run while it read vacancies, ');
    expect(condemned).toEqual([true]);
    expect(events).toMatchObject([{ type: 'warning', message: expect.stringContaining('acme') as string }]);
    tenant.wasCut = false;
    expect(await run()).toEqual({ again: null });
    expect(runs).toBe(1);
    expect(condemned).toEqual([true, false]);
    const summary = { periodMs: 600_000 };
    expect(judgeEnds({ ends: 5, wasCut: true, summary })).toEqual({ is: 'condemned', pauseMs: 90_000 });
    expect(judgeEnds({ ends: 99, wasCut: true, summary })).toEqual({ is: 'condemned', pauseMs: 600_000 });
    expect(judgeEnds({ ends: 99, wasCut: true, summary: { periodMs: 1_000 } })).toEqual({
      is: 'condemned',
      pauseMs: 30_000,
    });
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
