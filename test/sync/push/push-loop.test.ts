import { expect, test } from 'vitest';
import { noWait, wokenAtOnce } from '../../fake-time.js';
import { accepted, answered, pushFixture, type LoopOptions, type PushFixture } from './push-fixture.js';

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

test('the pauses of a stopped area grow from baseDelay to maxDelay, one request each, and start again after a success', async () => {
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
  const retry = { baseDelayMs: 100, maxDelayMs: 1_000 };
  await fixture.loop({ left: { pending: 1 }, retry, concurrency: 1, random: 1, silent });

  expect(pauses.map(({ ms }) => ms)).toEqual([100, 200, 400, 800, 1_000, 1_000, 100, 200]);
  expect(pauses.map(({ requests }) => requests)).toEqual([2, 1, 1, 1, 1, 1, 3, 1]);
});

test('a worker that starts within a pause of the platform sends nothing until it is over, even when it is woken', async () => {
  const fixture = pushFixture(['a', 'b']);
  const stop = { code: 'long-pause', message: 'HTTP 429', hint: '', since: new Date(0) } as const;
  const stored = {
    area: 'jobs',
    failuresInARow: 0,
    failingSince: null,
    answeredAt: null,
    lastError: null,
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
