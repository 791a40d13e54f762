import { expect, test } from 'vitest';
import { isSweepFresh } from '../../src/fleet/work-tenant.js';

type Latest = Exclude<Parameters<typeof isSweepFresh>[0], undefined>;
type Swept = Parameters<typeof isSweepFresh>[1][number];

const PERIOD_MS = 600_000;
const NOON = Date.parse('2026-03-02T12:00:00Z');
const ENDED: Latest = { finishedAt: new Date(NOON), error: null };
const HOLD = { guard: 'max-vanished' } as unknown as Swept['hold'];

/** Swept so many minutes ago. */
function swept(minutes: number, differs: Partial<Swept> = {}): Swept {
  const lastSweepAt = new Date(NOON - minutes * 60_000);
  return { readAt: '2026-03-02 12:00:00+00', lastSweepAt, fullSweepRequested: false, hold: null, ...differs };
}

test('a slice only sends within a period of the last sweep, also if the sweep of all took longer than that', () => {
  expect(isSweepFresh(ENDED, [swept(5), swept(4)], PERIOD_MS)).toBe(true);
  expect(isSweepFresh(ENDED, [swept(45), swept(4)], PERIOD_MS)).toBe(true);
  expect(isSweepFresh(ENDED, [swept(45), swept(10)], PERIOD_MS)).toBe(false);
});

test.each<[string, Latest | undefined]>([
  ['was cut off', { ...ENDED, error: { code: 'interrupted', message: '' } }],
  ['never ended: its process was killed', { ...ENDED, finishedAt: null }],
  ['is not known', undefined],
])('it sweeps when the last run %s, however young the entities are that were swept', (_, latest) => {
  expect(isSweepFresh(latest, [swept(1), swept(1)], PERIOD_MS)).toBe(false);
});

test('it sweeps when an entity is asked to be swept in full, but not for one that is held', () => {
  expect(isSweepFresh(ENDED, [swept(1), swept(1, { fullSweepRequested: true })], PERIOD_MS)).toBe(false);
  const held = swept(1, { fullSweepRequested: true, hold: HOLD });
  expect(isSweepFresh(ENDED, [swept(1), held], PERIOD_MS)).toBe(true);
});

test('an entity that fails or is held since the first sweep asks for none before each slice', () => {
  expect(isSweepFresh(ENDED, [swept(1), swept(1, { lastSweepAt: null })], PERIOD_MS)).toBe(true);
  expect(isSweepFresh(ENDED, [swept(1, { lastSweepAt: null })], PERIOD_MS)).toBe(false);
});
