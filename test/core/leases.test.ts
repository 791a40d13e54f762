import { expect, test } from 'vitest';
import { SyncError } from '../../src/core/domain/errors.js';
import type { Leases } from '../../src/core/ledger/lease.js';
import { holdLease } from '../../src/core/leases.js';
import { FENCE } from './push/push-fixture.js';
import { fakeClock } from '../fake-time.js';

const LOST = new SyncError('lease-lost', 'taken', { scope: 'run' });

/** A lease whose row answers as the test says; nothing is renewed by itself within its time. */
async function hold(renew: Leases['renew'] = () => Promise.resolve(true)) {
  const leases: Leases = {
    acquire: (name) => Promise.resolve({ lease: { name, fence: FENCE, idleMs: null } }),
    renew,
    release: () => Promise.resolve(),
    holders: () => Promise.resolve([]),
  };
  const world = { now: 0 };
  const clock = fakeClock(() => world.now);
  const held = await holdLease(leases, 'push', 'test', 3_600_000, clock);
  if ('heldBy' in held) throw new Error('held');
  return { lease: held.lease, world };
}

test('a statement that finds the lease lost ends it here at once, for the reason that it gives', async () => {
  const { lease } = await hold();
  expect(await lease.fenced((fence) => Promise.resolve(fence))).toBe(FENCE);
  expect(lease.held()).toBe(true);
  await expect(lease.fenced(() => Promise.reject(LOST))).rejects.toBe(LOST);
  expect(lease.lost.reason).toBe(LOST);
  expect(lease.held()).toBe(false);
  await lease.release();
});

test('a statement that fails for another reason leaves the lease as it is', async () => {
  const { lease } = await hold();
  const other = new SyncError('state-unavailable', 'away', { scope: 'run' });
  await expect(lease.fenced(() => Promise.reject(other))).rejects.toBe(other);
  expect(lease.held()).toBe(true);
  expect(lease.lost.aborted).toBe(false);
  await lease.release();
});

test('after two thirds of its time without renewal the lease is over, and says so', async () => {
  const { lease, world } = await hold();
  world.now = 2_400_000;
  expect(lease.held()).toBe(false);
  expect(lease.lost.reason).toMatchObject({ code: 'lease-lost' });
  await lease.release();
});

test('its time counts from when it was asked for, not from a late reply', async () => {
  const world = { now: 0 };
  const leases: Leases = {
    acquire: (name) => {
      world.now = 600_000;
      return Promise.resolve({ lease: { name, fence: FENCE, idleMs: null } });
    },
    renew: () => Promise.resolve(true),
    release: () => Promise.resolve(),
    holders: () => Promise.resolve([]),
  };
  const clock = fakeClock(() => world.now);
  const held = await holdLease(leases, 'push', 'test', 3_600_000, clock);
  if ('heldBy' in held) throw new Error('held');
  world.now = 2_399_999;
  expect(held.lease.held()).toBe(true);
  world.now = 2_400_000;
  expect(held.lease.held()).toBe(false);
  await held.lease.release();
});

test('the same after a renewal', async () => {
  const world = { now: 0 };
  let renewals = 0;
  const leases: Leases = {
    acquire: (name) => Promise.resolve({ lease: { name, fence: FENCE, idleMs: null } }),
    renew: () => {
      renewals += 1;
      if (renewals > 1) return new Promise(() => {});
      world.now = 50;
      return Promise.resolve(true);
    },
    release: () => Promise.resolve(),
    holders: () => Promise.resolve([]),
  };
  const clock = fakeClock(() => world.now);
  const held = await holdLease(leases, 'push', 'test', 90, clock);
  if ('heldBy' in held) throw new Error('held');
  // Asked for at 20, answered at 50: two thirds of its time end at 80.
  world.now = 20;
  await expect.poll(() => renewals).toBeGreaterThan(0);
  expect(world.now).toBe(50);
  world.now = 79;
  expect(held.lease.held()).toBe(true);
  world.now = 80;
  expect(held.lease.held()).toBe(false);
  await held.lease.release();
});

test('a renewal that is refused ends the lease, also when the answer comes late', async () => {
  const answers: ((renewed: boolean) => void)[] = [];
  const leases: Leases = {
    acquire: (name) => Promise.resolve({ lease: { name, fence: FENCE, idleMs: null } }),
    renew: () => new Promise((resolve) => answers.push(resolve)),
    release: () => Promise.resolve(),
    holders: () => Promise.resolve([]),
  };
  const clock = fakeClock(() => 0);
  const held = await holdLease(leases, 'push', 'test', 80, clock);
  if ('heldBy' in held) throw new Error('held');
  await expect.poll(() => answers.length).toBeGreaterThan(1);
  answers[1]?.(true);
  expect(held.lease.held()).toBe(true);
  answers[0]?.(false);
  await expect.poll(() => held.lease.held()).toBe(false);
  expect(held.lease.lost.reason).toMatchObject({ code: 'lease-lost' });
  await held.lease.release();
});
