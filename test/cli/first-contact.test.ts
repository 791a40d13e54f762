import { expect, test, vi } from 'vitest';
import { filledWorld, NAMED, others, probe } from './probe-world.js';

vi.setConfig({ testTimeout: 60_000 });

test('at the sandbox everything is confirmed, with few requests, and the next run sends the other records only', async () => {
  const world = await filledWorld();
  const probed = await probe(world, ...NAMED);
  expect(others(probed), JSON.stringify(probed.checks, null, 1)).toEqual({});
  expect(probed.exitCode).toBe(0);
  expect(Object.keys(probed.results)).toEqual([
    ...['reachable', 'clock', 'wrong-signature', 'unknown-id', 'put-status', 'envelope', 'reference'],
    ...[
      'find-shape',
      'same-reference',
      'absent-field',
      'parent-reference',
      'request-id-reuse',
      'rate-headers',
    ],
  ]);
  expect(Object.keys(probed.checks.reachable)).toEqual(['id', 'assumption', 'result', 'seen', 'setting']);
  const requests = world.sandbox.requests();
  expect(requests.length).toBeLessThanOrEqual(20);
  expect(
    requests.filter(({ status }) => status === 401),
    'one wrong signature',
  ).toHaveLength(1);
  expect(world.sandbox.records('jobs', 'companies').map(({ body }) => body)).toMatchObject([
    { name: 'Company 1', about: 'What Company c001 does' },
  ]);
  expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(1);

  world.sandbox.clearRequests();
  const run = await world.run();
  expect(run).toMatchObject({
    code: 0,
    entities: {
      companies: { read: 3, unchanged: 1, new: 2, sent: 2 },
      vacancies: { read: 2, unchanged: 1, new: 1, sent: 1 },
    },
  });
  expect(world.sandbox.requests()).toHaveLength(3);
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 0 } } });
});
