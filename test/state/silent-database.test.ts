import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStateDatabase } from '../../src/state/database/state-database.js';
import { openWire } from '../postgres/open-wire.js';
import { createTestDatabase } from '../postgres/test-database.js';

/** The database behind a wire that can be cut without either side noticing. */
async function behindAWire() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return openWire(database.url);
}

const UNAVAILABLE = { code: 'state-unavailable' };

test('a state database that no longer answers is an error within the time-out, and can be closed', async () => {
  const wire = await behindAWire();
  const database = createStateDatabase({ url: wire.url, poolMax: 2, schema: 's', statementTimeoutMs: 500 });
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  wire.silence();
  await expect(database.query('select 2')).rejects.toMatchObject(UNAVAILABLE);
  await expect(database.transaction((statements) => statements.query('select 3'))).rejects.toMatchObject(
    UNAVAILABLE,
  );
  await database.close();
}, 60_000);

test('a connection that gave no answer is not used again, by the ROLLBACK of its transaction or by others', async () => {
  const wire = await behindAWire();
  const database = createStateDatabase({ url: wire.url, poolMax: 1, schema: 's', statementTimeoutMs: 500 });
  const cutInside = database.transaction(async (statements) => {
    await statements.query('select 1');
    wire.silence();
    return statements.query('select 2');
  });
  await expect(cutInside).rejects.toMatchObject(UNAVAILABLE);
  await wire.mend();
  expect(await database.query('select 3 as three')).toEqual([{ three: 3 }]);
  await database.close();
}, 60_000);

test('the signal ends what waits for a server that neither answers nor cancels, long before its time-out', async () => {
  const wire = await behindAWire();
  const database = createStateDatabase({ url: wire.url, poolMax: 1, schema: 's' });
  await database.query('select 1');
  const stop = new AbortController();
  database.endAfter(stop.signal);
  wire.silence();
  const waiting = database.transaction((statements) => statements.query('select 2'));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  await database.close();
}, 60_000);

test('a server that is down is reported as that, also where it was reached by a socket of this machine', async () => {
  const folder = join(tmpdir(), `no-socket-${process.pid}`);
  const url = `postgres:///db?host=${folder}&user=u`;
  const database = createStateDatabase({ url, poolMax: 1, schema: 's' });
  onTestFinished(() => database.close());
  await expect(database.query('select 1')).rejects.toMatchObject({
    ...UNAVAILABLE,
    hint: expect.stringContaining('that the server is up') as string,
  });
});
