import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Clock } from '../../../src/core/ports/clock.js';
import { replaceFile, tryReplacing } from '../../../src/cli/output/files.js';
import { createWakeableSleep, untilFirstAbort, withinTime } from '../../../src/core/runtime/time.js';
import { collectGarbage } from '../../collect-garbage.js';
import { fakeClock } from '../../fake-time.js';
import { NEVER } from '../../features/notices/receivers.js';
import { temporaryFolder } from '../../temporary-folder.js';

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

describe('wakeable sleep', () => {
  /** A clock whose time never passes: only a signal ends a sleep. */
  const frozen: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener('abort', () => resolve());
      }),
  };

  test('a sleep ends when it is woken, and reports that it was', async () => {
    const idle = createWakeableSleep(frozen, new AbortController().signal);
    const sleeping = idle.sleep(1_000);
    idle.wake();
    expect(await sleeping).toBe(true);
  });

  test('being woken before is not forgotten, and counts once', async () => {
    const idle = createWakeableSleep(
      fakeClock(() => 0),
      new AbortController().signal,
    );
    idle.wake();
    expect(await idle.sleep(1_000)).toBe(true);
    expect(await idle.sleep(1_000)).toBe(false);
  });

  test('after the signal no sleep lasts any more', async () => {
    const stopping = new AbortController();
    const idle = createWakeableSleep(frozen, stopping.signal);
    const sleeping = idle.sleep(1_000);
    stopping.abort();
    await sleeping;
    expect(await idle.sleep(1_000)).toBe(true);
  });
});

describe('replace file', () => {
  test('a file is replaced as a whole, with its mode whatever the umask, and nothing is left beside it', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.prom');
    writeFileSync(path, 'old');
    const umask = process.umask(0o077);
    try {
      replaceFile(path, 'new', 0o644);
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['a.prom']);
  });

  test('what cannot be replaced stays as it is, and nothing is left beside it', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken'));
    expect(() => replaceFile(join(folder, 'taken'), 'text', 0o600)).toThrow(/EISDIR|ENOTEMPTY/);
    expect(() => tryReplacing(join(folder, 'missing', 'file'), 0o600)).toThrow(/ENOENT/);
    tryReplacing(join(folder, 'new'), 0o600);
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});
