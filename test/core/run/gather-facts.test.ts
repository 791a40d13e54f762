import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { EntityName } from '../../../src/core/domain/names.js';
import type { EntityReport } from '../../../src/core/domain/outcome.js';
import { emptyReport } from '../../../src/core/entities/index.js';
import { findTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import type { State } from '../../../src/features/create-state.js';
import { gatherFacts, type GatherOptions } from '../../../src/core/run/troubles.js';
import { openTestState, refused, says, wants } from '../ledger/open-test-state.js';

const NOW = new Date('2026-01-01T00:00:00Z');

/** Kinds of trouble, with the entity: `held companies`. */
async function found(state: State, options: Partial<GatherOptions>): Promise<string[]> {
  const asked = { now: NOW, entities: ['companies', 'vacancies'], worker: true, ...options };
  const facts = await gatherFacts(state, asked);
  return findTroubles(facts).map(({ kind, subject }) => [kind, ...Object.values(subject ?? {})].join(' '));
}

const counting = (state: State) => ({ counts: (name: EntityName) => state.records.counts(name) });

test('reads what is asked for, and no more: holds always, numbers and reasons where they are needed', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('p', '1'));
  const [a, p] = await state.claim('companies');
  await state.record(refused(a!), refused(p!));
  await state.publish('vacancies', wants('v', '1', 'p'), says('invalid', 'w'));
  await state.entityStates.hold(state.sweep, 'companies', {
    guard: 'empty-source',
    message: 'The source has no rows.',
    counts: { vanished: 1, invalid: 0 },
    sampleKeys: [],
    since: NOW.toISOString(),
  });
  expect(await found(state, {})).toEqual(['held companies']);
  const counted = await found(state, counting(state));
  expect(counted).toEqual(['held companies', 'rejected companies', 'invalid vacancies', 'blocked vacancies']);

  const { entities } = await gatherFacts(state, {
    now: NOW,
    entities: ['vacancies'],
    worker: true,
    ...counting(state),
    reasons: state,
  });
  expect(entities, 'the parents’ hold also where they are not asked for').toMatchObject([
    {
      name: 'vacancies',
      parent: { entity: 'companies', held: true },
      counts: { waiting: 1, blocked: 1, invalid: 1 },
      reasons: { rejected: [], blocked: [{ key: 'v', parentKey: 'p', problem: 'parent-rejected' }] },
    },
  ]);
});

test('takes the last run that ended, not one under way; that a signal ended it is over', async () => {
  const state = await openTestState();
  const finish = async (code: string | null) => {
    const runId = randomUUID();
    await state.runs.start({ runId, trigger: 'manual', holder: 'test' });
    const error = code === null ? null : { code, message: '' };
    const companies = { ...emptyReport('companies'), error: { code: 'query-failed', message: 'no table' } };
    const entities: Record<string, EntityReport> = code === 'lease-lost' ? {} : { companies };
    await state.runs.finish(runId, { outcome: 'failed', exitCode: 1, entities, error });
  };
  expect(await found(state, {})).toEqual([]);
  await finish(null);
  expect(await found(state, {})).toEqual(['failed companies']);
  await state.runs.start({ runId: randomUUID(), trigger: 'cron', holder: 'test' });
  expect(await found(state, {}), 'the one under way says nothing yet').toEqual(['failed companies']);
  await finish('lease-lost');
  expect(await found(state, {})).toEqual(['run-failed']);
  await finish('interrupted');
  expect(await found(state, {})).toEqual(['failed companies']);
  const judged = { interrupted: true, error: null, entities: {} };
  expect(await found(state, { run: judged }), 'the run that is judged comes first').toEqual(['interrupted']);
});
