import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createStateDatabase } from '../../src/state/state-database.js';
import { createTestDatabase } from '../postgres/test-database.js';

/** The database behind a wire that can be cut without either side noticing, as a firewall does. */
async function behindAWire() {
  const database = await createTestDatabase();
  const target = new URL(database.url);
  const sockets: Socket[] = [];
  let cut = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    near.on('data', (bytes) => !cut && far.write(bytes)).on('error', () => undefined);
    far.on('data', (bytes) => !cut && near.write(bytes)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(port) }).href;
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await database.drop();
  });
  return { url, cut: () => (cut = true) };
}

test('a state database that no longer answers is an error within the time-out, and can be closed', async () => {
  const wire = await behindAWire();
  const database = createStateDatabase({ url: wire.url, poolMax: 2, schema: 's', queryTimeoutMs: 500 });
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  wire.cut();
  await expect(database.query('select 2')).rejects.toMatchObject({ code: 'state-unavailable' });
  await expect(database.transaction((statements) => statements.query('select 3'))).rejects.toMatchObject({
    code: 'state-unavailable',
  });
  await database.close();
}, 60_000);
