import { describe, expect, it } from 'vitest';
import { createSlotScheduler } from '../../../src/core/platform/slot-scheduler.js';

/** A limit whose slots the test hands out one by one. */
function withSlots(concurrency: number, slots: number) {
  let wake = (): void => undefined;
  const log: string[] = [];
  const limit = createSlotScheduler(concurrency, (demand) => {
    wake = () => demand.wake();
    return {
      take() {
        if (slots === 0) return null;
        slots--;
        return {
          release: () => slots++,
          written: () => log.push('written'),
          answered: () => log.push('answered'),
          ended: () => log.push('ended'),
        };
      },
    };
  });
  const give = (more: number): void => {
    slots += more;
    wake();
  };
  return { limit, log, give, left: () => slots };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the scheduler of slots', () => {
  it('never runs more attempts at a time than the concurrency', async () => {
    const { limit } = withSlots(3, 20);
    let running = 0;
    let most = 0;
    const attempt = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await turn();
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => limit.schedule(attempt)));
    expect(most).toBe(3);
  });

  it('starts an attempt for each slot, urgent ones before all that wait, and others in their order', async () => {
    const { limit, give } = withSlots(9, 0);
    const order: string[] = [];
    const attempt = (name: string) => () => Promise.resolve(void order.push(name));
    const all = [
      ...['first', 'second'].map((name) => limit.schedule(attempt(name))),
      ...['urgent', 'urgent too'].map((name) => limit.schedule(attempt(name), true)),
    ];
    give(1);
    await turn();
    expect(order).toEqual(['urgent']);
    give(3);
    await Promise.all(all);
    expect(order).toEqual(['urgent', 'urgent too', 'first', 'second']);
  });

  it('rejects at once when the signal aborts before the attempt starts, and leaves its slot to the next', async () => {
    const { limit, give, left } = withSlots(1, 0);
    const given = new AbortController();
    let ran = false;
    const waiting = limit.schedule(() => Promise.resolve(void (ran = true)), false, given.signal);
    const next = limit.schedule(() => Promise.resolve('next'));
    given.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(limit.schedule(() => Promise.resolve(), false, given.signal)).rejects.toThrow('enough');
    give(1);
    expect(await next).toBe('next');
    expect(ran).toBe(false);
    expect(left()).toBe(0);
  });

  it('finishes an attempt that has begun when the signal aborts', async () => {
    const { limit } = withSlots(1, 1);
    const given = new AbortController();
    const attempt = async () => {
      given.abort();
      await turn();
      return 'done';
    };
    expect(await limit.schedule(attempt, false, given.signal)).toBe('done');
  });

  it('rejects with the error of the attempt, and ends its slot', async () => {
    const { limit, log } = withSlots(1, 2);
    const error = new Error('no');
    await expect(limit.schedule(() => Promise.reject(error))).rejects.toBe(error);
    await expect(
      limit.schedule(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    await turn();
    expect(log).toEqual(['ended', 'ended']);
  });
});
