import { describe, expect, it } from 'vitest';
import { untilFirstAbort, withinTime } from '../../src/runtime/time.js';
import { collectGarbage } from '../collect-garbage.js';
import { NEVER } from '../telemetry/receivers.js';

describe('until first abort', () => {
  const aborted = (signal: AbortSignal) =>
    new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

  it('aborts with the first of its sources, for its reason', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const seen = untilFirstAbort([first.signal, second.signal], aborted);
    second.abort('second');
    first.abort('first');
    expect(await seen).toBe('second');
  });

  it('is aborted from the start when one of them is', async () => {
    const sources = [new AbortController().signal, AbortSignal.abort('before')];
    expect(await untilFirstAbort(sources, (signal) => Promise.resolve(signal.reason))).toBe('before');
  });

  it('leaves nothing behind at its sources, also when the work fails', async () => {
    const source = new AbortController();
    let given: AbortSignal | undefined;
    const failing = untilFirstAbort([source.signal], (signal) => {
      given = signal;
      return Promise.reject(new Error('work'));
    });
    await expect(failing).rejects.toThrow('work');
    source.abort();
    expect(given?.aborted).toBe(false);
  });
});

describe('within time', () => {
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
});
