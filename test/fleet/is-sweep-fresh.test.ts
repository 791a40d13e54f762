import { expect, test } from 'vitest';
import { isSweepFresh, type SweptEntity } from '../../src/fleet/is-sweep-fresh.js';

const PERIOD_MS = 600_000;

/** Swept so many minutes ago. */
function swept(minutes: number, differs: Partial<SweptEntity> = {}): SweptEntity {
  return {
    readAt: '2026-03-02 12:00:00+00',
    lastSweepAt: new Date(Date.parse('2026-03-02T12:00:00Z') - minutes * 60_000),
    fullSweepRequested: false,
    fingerprint: 'mapping',
    configured: 'mapping',
    ...differs,
  };
}

test('a slice only sends within a period of the last sweep, also if the sweep of all took longer than that', () => {
  expect(isSweepFresh([swept(5), swept(4)], PERIOD_MS)).toBe(true);
  expect(isSweepFresh([swept(45), swept(4)], PERIOD_MS)).toBe(true);
  expect(isSweepFresh([swept(45), swept(10)], PERIOD_MS)).toBe(false);
});

test.each([
  ['was never swept', { lastSweepAt: null }],
  ['is asked to be swept in full', { fullSweepRequested: true }],
  ['was swept with another mapping', { fingerprint: 'older' }],
])('it sweeps when an entity %s', (_, differs) => {
  expect(isSweepFresh([swept(1), swept(1, differs)], PERIOD_MS)).toBe(false);
});
