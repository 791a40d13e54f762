import { expect, test } from 'vitest';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import { warnSeldom } from '../../../src/features/fleet/keep-engine.js';
import { sendDueTenants } from '../../../src/features/fleet/send-due.js';
import { fakeClock } from '../../fake-time.js';

/** Looks with these results; waits take no time. Ends when no result is left. */
async function looks(
  results: readonly (number | Error)[],
  afterLook: (look: number, lose: () => void) => void = () => {},
) {
  const stop = new AbortController();
  const left = [...results];
  const log: string[] = [];
  const events: SyncEvent[] = [];
  let lose = () => {};
  const clock = {
    ...fakeClock(() => 0),
    sleep: (ms: number) => {
      log.push(`sleep ${String(ms)}`);
      return Promise.resolve();
    },
  };
  await sendDueTenants(
    {
      tenants: {
        takeDue: () => Promise.resolve([]),
        makeAllDue: () => {
          log.push('all due');
          return Promise.resolve();
        },
      },
      queue: {
        onRestored: (tell) => (lose = tell),
        sendDue: () => {
          const result = left.shift() ?? 0;
          if (left.length === 0) stop.abort();
          log.push(result instanceof Error ? 'failed' : `sent ${String(result)}`);
          afterLook(results.length - left.length, lose);
          return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
        },
      },
      clock,
      warn: warnSeldom(clock, (event) => events.push(event)),
    },
    stop.signal,
  );
  return { log, events };
}

test('it looks each second, and again at once while there are more than one look takes', async () => {
  const { log } = await looks([0, 200, 200, 7, 0]);
  expect(log.slice(0, 7)).toEqual([
    'sent 0',
    'sleep 1000',
    'sent 200',
    'sent 200',
    'sent 7',
    'sleep 1000',
    'sent 0',
  ]);
});

test('after a look that failed it warns and goes on', async () => {
  const { log, events } = await looks([new Error('gone'), 0]);
  expect(log.slice(0, 3)).toEqual(['failed', 'sleep 5000', 'sent 0']);
  expect(events).toMatchObject([{ type: 'warning' }]);
});

test('when the queue was lost, all tenants are due once', async () => {
  const { log } = await looks([0, 0, 0], (look, lose) => {
    if (look === 1) lose();
  });
  expect(log.filter((line) => !line.startsWith('sleep'))).toEqual(['sent 0', 'all due', 'sent 0', 'sent 0']);
});
