import { describe, expect, test } from 'vitest';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import type { Outcome } from '../../../src/core/ledger/queue/types.js';
import type { EntityState } from '../../../src/core/domain/entity-state.js';
import { RefusalWatch } from '../../../src/core/push/refusal-watch.js';
import { OutcomeBuffer } from '../../../src/core/push/outcome-buffer.js';
import { fakeClock, noWait, wokenAtOnce } from '../../fake-time.js';
import {
  accepted,
  answered,
  type LoopOptions,
  NOTHING_KNOWN,
  pushFixture,
  type PushFixture,
} from './push-fixture.js';

describe('push loop', () => {
  test('a push that takes hours reports every five minutes what it has sent so far', async () => {
    const fixture = pushFixture(Array.from({ length: 7 }, (_, index) => `k${index}`));
    fixture.reply = (key) => {
      fixture.now += 2 * 60_000;
      return accepted(key);
    };
    const last = wokenAtOnce(() => fixture.abort.abort());
    await fixture.loop({ concurrency: 1, idle: last, stopped: last, silent: last });

    const reports = fixture.events.flatMap((event) =>
      event.type === 'push-progress' || event.type === 'push-finished'
        ? [[event.type, event.entities.companies?.sent]]
        : [],
    );
    expect(reports).toEqual([
      ['push-progress', 3],
      ['push-progress', 6],
      ['push-finished', 7],
    ]);
  });

  /** Runs the loop until it looks for work for the third time. Gives the entities whose success it noted, in order. */
  async function successes(fixture: PushFixture, left: LoopOptions['left'] = {}): Promise<readonly string[]> {
    let looks = 0;
    const idle = wokenAtOnce(() => {
      looks += 1;
      if (looks === 3) fixture.abort.abort();
    });
    await fixture.loop({ left, idle });
    return fixture.noted;
  }

  test('a worker notes a success once after it sent something, and none while something is deferred', async () => {
    expect(await successes(pushFixture(['a']))).toEqual(['companies']);
    expect(await successes(pushFixture(['a']), { deferred: 1 })).toEqual([]);
    expect(await successes(pushFixture([]))).toEqual([]);
  });

  test('a worker notes the success after an outage too, although its last push sent nothing', async () => {
    const fixture = pushFixture(['a']);
    fixture.settings.breakerAfter = 1;
    fixture.reply = (key) => {
      fixture.due.push(key);
      fixture.reply = accepted;
      return answered(503);
    };
    expect(await successes(fixture)).toEqual(['companies']);
    expect(fixture.sent).toEqual(['a', 'a']);
  });

  test.each([
    [100, 1_000, [100, 200, 400, 800, 1_000, 1_000, 100, 200]],
    // Whatever a single record waits: the end of an outage is noticed within minutes.
    [100_000, 21_600_000, [100_000, 200_000, 300_000, 300_000, 300_000, 300_000, 100_000, 200_000]],
  ])(
    'the pauses of a stopped area grow from %i ms to %i ms, five minutes at most, one request each, and start again after a success',
    async (baseDelayMs, maxDelayMs, expected) => {
      const fixture = pushFixture(['a', 'b', 'c', 'd']);
      fixture.settings.breakerAfter = 2;
      const { clock } = fixture.options();
      /** Requests before each pause, and how long it was. */
      const pauses: { readonly requests: number; readonly ms: number }[] = [];
      let before = 0;
      const down = (key: string) => {
        fixture.due.push(key);
        return answered(503);
      };
      fixture.reply = down;
      const silent = {
        ...wokenAtOnce(),
        async sleep(ms: number) {
          pauses.push({ requests: fixture.sent.length - before, ms });
          before = fixture.sent.length;
          // It answers once, to the probe, and is down again.
          fixture.reply = pauses.length === 6 ? (key) => ((fixture.reply = down), accepted(key)) : down;
          if (pauses.length === 8) fixture.abort.abort();
          await clock.sleep(ms, fixture.abort.signal);
          return false;
        },
      };
      const retry = { baseDelayMs, maxDelayMs };
      await fixture.loop({ left: { pending: 1 }, retry, concurrency: 1, random: 1, silent });

      expect(pauses.map(({ ms }) => ms)).toEqual(expected);
      expect(pauses.map(({ requests }) => requests)).toEqual([2, 1, 1, 1, 1, 1, 3, 1]);
    },
  );

  test('a worker that starts within a pause of the platform sends nothing until it is over, even when it is woken', async () => {
    const fixture = pushFixture(['a', 'b']);
    const stop = { code: 'long-pause', message: 'HTTP 429', hint: '', since: new Date(0) } as const;
    const stored = {
      area: 'jobs',
      failuresInARow: 0,
      failingSince: null,
      retryAt: null,
      answeredAt: null,
      lastError: null,
      learnedRate: null,
      platformVersion: null,
    } as const;
    const paused = (leftMs: number) => ({ ...stored, stop, pause: { until: new Date(leftMs), leftMs } });
    fixture.stored = paused(70_000);
    const slept: { readonly ms: number; readonly sent: number }[] = [];
    const turn = noWait();
    const stopped = {
      ...wokenAtOnce(),
      async sleep(ms: number) {
        slept.push({ ms, sent: fixture.sent.length });
        fixture.stored = slept.length === 1 ? paused(10_000) : { ...stored, stop, pause: null };
        await turn();
        return true;
      },
    };
    const idle = wokenAtOnce(() => fixture.abort.abort());
    await fixture.loop({ left: { pending: 1 }, idle, stopped, silent: stopped });

    expect(slept).toEqual([
      { ms: 30_000, sent: 0 },
      { ms: 10_000, sent: 0 },
    ]);
    expect(fixture.sent).toEqual(['a', 'b']);
    expect(fixture.events.filter(({ type }) => type === 'area-stopped')).toMatchObject([{ delayMs: 70_000 }]);
  });
});

describe('outcome buffer', () => {
  const outcome = (key: number): Outcome => ({
    entity: 'companies',
    key: String(key),
    requestId: `request-${key}`,
    kind: 'handed-back',
    known: true,
    reply: null,
    previousAttemptAt: null,
    reused: false,
  });

  function written(fail: (group: number) => boolean = () => false) {
    const groups: number[] = [];
    const errors: unknown[] = [];
    let tried = 0;
    const buffer = new OutcomeBuffer({
      write: (outcomes) => {
        if (fail(++tried)) return Promise.reject(new Error(`group ${tried}`));
        groups.push(outcomes.length);
        return Promise.resolve();
      },
      tallies: () => [],
      onError: (error) => errors.push(error),
    });
    return { buffer, groups, errors };
  }

  test('a hundred outcomes are written together without waiting', async () => {
    const { buffer, groups } = written();
    for (let key = 0; key < 250; key += 1) buffer.add(outcome(key));
    await buffer.flush();
    expect(groups).toEqual([100, 100, 50]);
    expect(buffer.size()).toBe(0);
  });

  test('fewer are written after a fifth of a second, without a request', async () => {
    const { buffer, groups } = written();
    buffer.add(outcome(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(groups).toEqual([]);
    await expect.poll(() => groups).toEqual([1]);
  });

  test('a failed write is reported at once, counts as done, and does not keep the next group from being written', async () => {
    const { buffer, groups, errors } = written((group) => group === 1);
    for (let key = 0; key < 100; key += 1) buffer.add(outcome(key));
    buffer.add(outcome(100));
    await buffer.flush();
    expect(errors).toEqual([new Error('group 1')]);
    expect(groups).toEqual([1]);
    expect(buffer.size()).toBe(0);
  });

  test('flush rejects with what the last write rejected with', async () => {
    const { buffer } = written(() => true);
    buffer.add(outcome(1));
    await expect(buffer.flush()).rejects.toThrow('group 1');
  });
});

const REFUSED = { kind: 'refused', statusCode: 422, message: 'no' } as const;

describe('refusal watch', () => {
  /** A watch of companies that holds them after three refusals, and what is stored of them. */
  async function watching(known: Partial<EntityState> = {}) {
    const world = {
      now: 0,
      stored: { ...NOTHING_KNOWN, fingerprint: 'first', ...known },
      events: [] as SyncEvent[],
    };
    const { state, settings, ...push } = pushFixture([]).options();
    const watch = await RefusalWatch.open({
      ...push,
      state: {
        ...state,
        entityStates: {
          ...state.entityStates,
          read: () => Promise.resolve(world.stored),
          holdPush: (_fence, _entity, pushHold) => {
            world.stored = { ...world.stored, pushHold };
            return Promise.resolve();
          },
        },
      },
      entities: push.entities.filter(({ name }) => name === 'companies'),
      settings: { ...settings, guards: { ...settings.guards, maxRejectedInARow: 3 } },
      clock: fakeClock(
        () => 0,
        () => world.now,
      ),
      emit: (event) => world.events.push(event),
    });
    const refuse = async (times: number) => {
      for (let n = 0; n < times; n += 1) await watch.note({ entity: 'companies', key: `k${n}` }, REFUSED);
    };
    /** Late enough that what is stored is looked at again. */
    const refresh = async () => {
      world.now += 5_000;
      await watch.refresh();
    };
    return { watch, world, refuse, refresh };
  }

  test('under a mapping that comes while the push goes on, the count starts again', async () => {
    const { watch, world, refuse, refresh } = await watching();
    await refuse(2);
    world.stored = { ...world.stored, fingerprint: 'second' };
    await refresh();
    expect(watch.takeChanged(), 'what was counted under the first mapping is not written').toEqual([]);
    await refuse(2);
    expect(watch.isHeld('companies')).toBe(false);
    expect(watch.takeChanged()).toEqual([
      { entity: 'companies', fingerprint: 'second', refusedInARow: 2, acceptedOnce: false },
    ]);
    await refuse(1);
    expect(watch.isHeld('companies')).toBe(true);
  });

  test('an acceptance under the mapping before does not excuse what the new one has refused', async () => {
    const { watch, world, refuse, refresh } = await watching({ acceptedOnce: true });
    await refuse(9);
    expect(watch.isHeld('companies')).toBe(false);
    world.stored = { ...world.stored, fingerprint: 'second', acceptedOnce: false };
    await refresh();
    await refuse(3);
    expect(watch.isHeld('companies')).toBe(true);
  });

  test('an approval while the push goes on lifts the hold, and the refusals before it count no more', async () => {
    const { watch, world, refuse, refresh } = await watching();
    await refuse(3);
    watch.takeChanged();
    // One was still under way when it was held.
    await refuse(1);
    expect(watch.takeChanged()).toEqual([]);
    await refresh();
    expect(watch.isHeld('companies')).toBe(true);
    world.stored = { ...world.stored, pushHold: null, refusedInARow: 0 };
    await refresh();
    expect(watch.isHeld('companies')).toBe(false);
    await refuse(2);
    expect(watch.isHeld('companies')).toBe(false);
  });

  test('what is stored of the count under the same mapping does not replace what is known', async () => {
    const { watch, refuse, refresh } = await watching();
    await refuse(2);
    await refresh();
    await refuse(1);
    expect(watch.isHeld('companies')).toBe(true);
  });
});
