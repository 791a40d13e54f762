import { expect, test } from 'vitest';
import { ERROR_SHAPES } from '../../src/config/deviations.js';
import { deviatingWorld, held, runUntilDone, set, WHOLE } from './deviating-world.js';

test.each(ERROR_SHAPES.filter((shape) => shape !== 'html'))(
  'the platform’s words survive in the shape %s',
  { timeout: 60_000 },
  async (shape) => {
    const world = await deviatingWorld({ deviations: { errors: { shape, invalidFields: { status: 400 } } } });
    world.sandbox.setFaults({
      rules: [
        { fault: 'fields-refused', operation: 'putCompany', limit: 1, fields: { name: 'is too short' } },
      ],
    });
    world.configure('ratePerSecond: null', 'ratePerSecond: null\n    concurrency: 1');
    const { code, entities } = await world.run();
    expect([code, entities.companies]).toEqual([3, expect.objectContaining({ accepted: 2, rejected: 1 })]);
    const [rejected] = await world.sql<{ key: string }>(
      `select key from placement_sync.record where status = 'rejected'`,
    );
    const { stdout } = await world.cli('explain', 'companies', rejected?.key ?? '');
    expect(stdout).toContain('The name field is too short');
    world.sandbox.setFaults(null);
    await world.cli('retry');
    await runUntilDone(world);
    expect(held(world).sort()).toEqual(WHOLE);
  },
);

test(
  'a wrong signature that is answered 400 stops the area once it is judged so, and nothing is lost',
  { timeout: 60_000 },
  async () => {
    const world = await deviatingWorld({
      deviations: { errors: { authentication: { status: 400, code: 'INVALID_SIGNATURE' } } },
    });
    const secret = world.env.CLIENT_SECRET ?? '';
    world.env.CLIENT_SECRET = `${secret}-wrong`;
    expect((await world.run()).code, 'every record alone').toBe(3);
    expect((await world.cli('status')).stdout).toContain('Signature is not valid');

    set(world, 'replies: { judge: [{ status: 400, match: INVALID_SIGNATURE, as: authentication-refused }] }');
    await world.cli('retry');
    const stopped = await world.run();
    expect([stopped.code, stopped.entities.companies?.rejected]).toEqual([5, 0]);
    world.env.CLIENT_SECRET = secret;
    await runUntilDone(world);
    expect(held(world).sort()).toEqual(WHOLE);
  },
);
