import { expect, it } from 'vitest';
import { withinTime } from '../../src/runtime/time.js';
import { collectGarbage } from '../collect-garbage.js';
import { NEVER } from '../telemetry/sample-notice.js';

const reasonOf = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

it('ends after its time, however often garbage is collected meanwhile', async () => {
  const collecting = setInterval(collectGarbage, 10);
  const reason = await withinTime(100, NEVER, reasonOf);
  clearInterval(collecting);
  expect(reason).toMatchObject({ name: 'TimeoutError' });
});

it('ends with the signal, and leaves no timer when the work is done', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const ending = new AbortController();
  const reason = withinTime(60_000, ending.signal, reasonOf);
  ending.abort('ended');
  expect(await reason).toBe('ended');
  expect(timers()).toBe(before);
});
