import { expect, test } from 'vitest';
import { systemClock } from '../../src/cli/compose/package-info.js';
import { checkNode, openJobQueue, withoutEngine } from '../../src/fleet/open-job-queue.js';

test.each(['20.19.0', '20.20.2', '22.11.0', '18.0.0'])(
  'Node %s is too old for a fleet, which says what to do',
  (version) => {
    expect(() => checkNode(version)).toThrow(
      expect.objectContaining({
        code: 'usage',
        scope: 'usage',
        message: `A fleet needs Node 22.12 or later; this is Node ${version}.`,
        hint: expect.stringContaining('Node 24') as string,
      }),
    );
  },
);

test.each(['22.12.0', '22.20.1', '23.0.0', '24.3.0', '100.0.0'])('Node %s is new enough', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test('a missing package is an error of use, too', () => {
  expect(withoutEngine(new Error('Cannot find package'))).toMatchObject({ code: 'usage', scope: 'usage' });
});

test.runIf(Number(process.versions.node.split('.')[0]) < 22)(
  'on an old Node the engine says so, before it looks for its package or its database',
  async () => {
    const opening = openJobQueue({
      url: 'postgres://nobody@127.0.0.1:1/none',
      poolMax: 4,
      schema: 'fleet_jobs',
      clock: systemClock,
      emit: () => undefined,
    });
    await expect(opening).rejects.toMatchObject({ code: 'usage', scope: 'usage' });
  },
);
