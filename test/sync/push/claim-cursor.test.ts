import { expect, test } from 'vitest';
import type { EntityName } from '../../../src/domain/names.js';
import type { Claim } from '../../../src/ports/queue.js';
import { createClaimCursor } from '../../../src/sync/push/area.js';

const claim = (entity: EntityName, key: string, unacknowledged: boolean) =>
  ({ entity, key, unacknowledged }) as Claim;

/** Records by entity, in the order of the queue: changes before new ones. */
function walker(records: Record<string, Claim[]>, names: readonly EntityName[]) {
  const world = { now: 0, asked: [] as string[] };
  const cursor = createClaimCursor(
    names.map((name) => ({ name, repeatable: name !== 'application-statuses' })),
    (entity, position, limit, changesOnly) => {
      world.asked.push(`${entity}${changesOnly ? ' changes' : ''}`);
      const found = (records[entity] ?? [])
        .filter(({ unacknowledged }) => !changesOnly || !unacknowledged)
        .filter(
          ({ unacknowledged, key }) =>
            !position ||
            (unacknowledged === position.unacknowledged && key > position.key) ||
            (unacknowledged && !position.unacknowledged),
        )
        .slice(0, limit);
      records[entity] = (records[entity] ?? []).filter((one) => !found.includes(one));
      return Promise.resolve(found);
    },
    () => false,
    () => world.now,
  );
  return { cursor, world, records };
}

const keys = (claims: readonly Claim[]) => claims.map(({ key }) => key);

test('a change that comes up while new records are walked goes before them', async () => {
  const fresh = Array.from({ length: 9 }, (_, index) => claim('companies', `n${index}`, true));
  const { cursor, world, records } = walker({ companies: fresh }, ['companies']);
  expect(keys(await cursor.next(3, true))).toEqual(['n0', 'n1', 'n2']);
  records.companies = [claim('companies', 'changed', false), ...(records.companies ?? [])];
  world.now += 2_000;
  expect(keys(await cursor.next(3, true))).toEqual(['changed', 'n3', 'n4']);
});

test('what may not wait is asked for first, and at most twice a second beside a full load', async () => {
  const { cursor, world, records } = walker({ companies: [claim('companies', 'c', true)] }, [
    'companies',
    'application-statuses',
  ]);
  await cursor.next(1, false);
  expect(world.asked[0]).toBe('application-statuses');
  records['application-statuses'] = [claim('application-statuses', 's', true)];
  expect(keys(await cursor.urgent(4))).toEqual([]);
  world.now += 500;
  expect(keys(await cursor.urgent(4))).toEqual(['s']);
});

test('that nothing is due is found by looking once, unless something was passed by', async () => {
  const { cursor, world, records } = walker({}, ['companies', 'vacancies']);
  expect(await cursor.next(3, true)).toEqual([]);
  expect(world.asked).toEqual(['companies', 'vacancies']);
  // Both are left alone for a while, so the next look says nothing without a second one.
  records.vacancies = [claim('vacancies', 'v', true)];
  expect(keys(await cursor.next(3, true))).toEqual(['v']);
});
