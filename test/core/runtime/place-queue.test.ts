import { expect, test } from 'vitest';
import { createPlaceQueue } from '../../../src/core/runtime/place-queue.js';

const NEVER = new AbortController().signal;

test('callers get the places in the order in which they came', async () => {
  const places = createPlaceQueue(1, 5);
  const order: string[] = [];
  expect(await places.enter(NEVER)).toBe('entered');
  const second = places.enter(NEVER).then(() => order.push('second'));
  const third = places.enter(NEVER).then(() => order.push('third'));
  places.leave();
  await second;
  expect(order).toEqual(['second']);
  places.leave();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('who gives up leaves the queue at once, and the place goes to the next', async () => {
  const places = createPlaceQueue(1, 5);
  await places.enter(NEVER);
  const gone = new AbortController();
  const first = places.enter(gone.signal);
  const second = places.enter(NEVER);
  gone.abort();
  expect(await first).toBe('aborted');
  places.leave();
  expect(await second).toBe('entered');
  places.leave();
  expect(await places.enter(gone.signal), 'a caller that has gone is not let in').toBe('aborted');
  expect(await places.enter(NEVER), 'the place is free').toBe('entered');
});

test('a queue that is full refuses callers until one leaves it', async () => {
  const places = createPlaceQueue(1, 1);
  await places.enter(NEVER);
  const gone = new AbortController();
  const waiting = places.enter(gone.signal);
  expect(await places.enter(NEVER)).toBe('full');
  gone.abort();
  await waiting;
  const next = places.enter(NEVER);
  places.leave();
  expect(await next).toBe('entered');
});
