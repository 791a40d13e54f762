import { describe, expect, test } from 'vitest';
import { deviatingWorld, held, runUntilDone, set, WHOLE, words } from './deviating-world.js';
import { ROWS } from './rows.js';

describe.each(ROWS)('a platform with $deviation', (row) => {
  const { setting, without } = row;

  test.skipIf(without === undefined)(
    'is named together with its setting, nothing is lost, and the setting puts it right',
    { timeout: 120_000 },
    async () => {
      if (without === undefined || setting === undefined) throw new Error('the row has no setting');
      const world = await deviatingWorld(row);
      const report = await world.run();
      expect(report.code).toBe(without.code);
      const accepted = Object.values(report.entities).map((counted) => counted.accepted);
      expect(accepted, 'nothing counts as accepted').toEqual([0, 0]);
      const said = await words(world);
      for (const each of without.says) expect(said).toMatch(each);

      set(world, setting);
      // What was refused for this reason is sent again when the operator says so.
      await world.cli('retry');
      await runUntilDone(world);
      expect(held(world).sort()).toEqual(WHOLE);
      world.sandbox.clearRequests();
      expect((await world.run()).code).toBe(0);
      expect(world.sandbox.requests()).toEqual([]);
    },
  );

  test(
    setting === undefined
      ? 'needs no setting: all records arrive, and a second run sends nothing'
      : 'and its setting holds all records, and a second run sends nothing',
    { timeout: 60_000 },
    async () => {
      const world = await deviatingWorld(row);
      if (setting !== undefined) set(world, setting);
      const first = await world.run();
      expect([first.code, first.stderr]).toEqual([0, expect.any(String)]);
      expect(first.entities).toMatchObject({ companies: { accepted: 3 }, vacancies: { accepted: 2 } });
      expect(held(world).sort()).toEqual(WHOLE);

      world.sandbox.clearRequests();
      expect((await world.run()).code).toBe(0);
      expect(world.sandbox.requests()).toEqual([]);

      // One change arrives, and nothing else is sent.
      await world.sql(`update company set name = 'Company 3, renamed' where id = 'c003'`);
      expect((await world.run()).code).toBe(0);
      expect(world.sandbox.requests().map(({ method }) => method)).toHaveLength(1);
      expect(held(world)).toContain('Company 3, renamed');
    },
  );
});
