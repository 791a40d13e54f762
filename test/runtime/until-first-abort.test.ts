import { expect, it } from 'vitest';
import { untilFirstAbort } from '../../src/runtime/time.js';

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
