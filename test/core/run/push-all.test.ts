import { describe, expect, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { EntityReport } from '../../../src/core/domain/outcome.js';
import { emptyReport } from '../../../src/core/entities/index.js';
import { QUIET_MS } from '../../../src/core/runtime/time.js';
import type { HeldLease } from '../../../src/core/leases.js';
import type { RunContext } from '../../../src/core/context.js';
import { causeOf, whatEnded } from '../../../src/core/run/end.js';
import { pushAll } from '../../../src/core/run/run.js';
import { pushFixture } from '../push/push-fixture.js';

describe('push all', () => {
  /** Pushes one company; gives when it was claimed, and the time before which the rate lets nothing through. */
  async function push(idleMs: number | null, pending = 1) {
    const fixture = pushFixture(pending === 0 ? [] : ['a']);
    const { state, rateLimit, lease, areaSettings, settings, ...rest } = fixture.options();
    const times: { claimedAt?: number; notBefore?: number } = {};
    const context = {
      ...rest,
      settings: { ...settings, areas: { jobs: areaSettings } },
      entities: rest.entities.filter(({ name }) => name === 'companies'),
      state: {
        ...state,
        queue: {
          ...state.queue,
          claim: (options: Parameters<typeof state.queue.claim>[0]) => {
            times.claimedAt ??= fixture.now;
            return state.queue.claim(options);
          },
        },
        records: { counts: () => Promise.resolve({ pending, waiting: 0, blocked: 0, deferred: 0 }) },
      },
      rateLimit: (_area: string, notBefore: number) => {
        times.notBefore = notBefore;
        return rateLimit;
      },
    } as unknown as RunContext;
    const reports = new Map<string, EntityReport>([['companies', emptyReport('companies')]]);
    await pushAll(context, { ...lease, idleMs } as HeldLease, 'one', reports);
    expect(fixture.sent).toEqual(pending === 0 ? [] : ['a']);
    return times;
  }

  test('nothing is claimed before the requests of the former holder are a second old: a confirmation counts from the claim', async () => {
    expect(await push(0)).toEqual({ claimedAt: QUIET_MS, notBefore: QUIET_MS });
    expect(await push(400)).toEqual({ claimedAt: QUIET_MS - 400, notBefore: QUIET_MS - 400 });
    // Its holder may still go on for so long.
    expect(await push(-6_000)).toEqual({ claimedAt: QUIET_MS + 6_000, notBefore: QUIET_MS + 6_000 });
  });

  test('without a former holder, or when its requests are older, nothing waits', async () => {
    expect(await push(null)).toEqual({ claimedAt: 0, notBefore: 0 });
    expect(await push(2_000)).toEqual({ claimedAt: 0, notBefore: 0 });
  });

  test('a push with nothing due does not wait either; what becomes due meanwhile is kept back by the rate', async () => {
    expect(await push(0, 0)).toEqual({ claimedAt: 0, notBefore: QUIET_MS });
  });
});

describe('what ended', () => {
  function aborted(reason?: unknown): AbortSignal {
    const controller = new AbortController();
    controller.abort(reason);
    return controller.signal;
  }

  const INTERRUPTED = new SyncError('interrupted', 'A signal stopped it.', { scope: 'run' });
  const LOST = new SyncError('lease-lost', 'gone', { scope: 'run' });

  test('only an abort without a reason of its own is a stop that somebody asked for', () => {
    expect(whatEnded(new AbortController().signal)).toBeNull();
    expect(whatEnded(aborted())).toBeNull();
    expect(whatEnded(aborted(LOST))).toBe(LOST);
    expect(whatEnded(aborted(new TypeError('a defect')))).toMatchObject({
      code: 'unexpected',
      message: 'a defect',
    });
  });

  test('work that was interrupted for another error ends with that error, not with a signal', () => {
    expect(causeOf(INTERRUPTED, aborted(new TypeError('a defect')))).toMatchObject({ code: 'unexpected' });
    expect(causeOf(INTERRUPTED, aborted(LOST))).toBe(LOST);
    expect(causeOf(INTERRUPTED, aborted())).toBe(INTERRUPTED);
    expect(causeOf(LOST, aborted())).toBe(LOST);
  });
});
