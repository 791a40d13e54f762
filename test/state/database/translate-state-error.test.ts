import { expect, test } from 'vitest';
import { translateStateError } from '../../../src/state/database/translate-state-error.js';
import { openTestState } from '../open-test-state.js';

test('a long message of the server is one line of a log, whatever the length of its statement', async () => {
  const state = await openTestState();
  await state.sql(`create function shout() returns text language plpgsql as
    $$ begin raise exception E'first\\n%', repeat('x', 300000); end $$`);
  const error: unknown = await state.sql('select shout()').catch((reason: unknown) => reason);
  expect((error as Error).message.length).toBeGreaterThan(300_000);
  const { code, message } = translateStateError(error, '');
  expect(code).toBe('state-failed');
  expect(message).toContain('failed: first xxx');
  expect(message.length).toBeLessThan(1_100);
  const ofKnex = new Error(`select '${'y'.repeat(5_000)}' - relation does not exist`);
  expect(translateStateError(ofKnex, '').message).toContain('failed: relation does not exist');
});
