import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressProblem } from '../../../src/core/config/schema-walk.js';
import {
  databaseConnection,
  readDatabaseAddress,
  strictMode,
} from '../../../src/core/runtime/database-address.js';
import { guardConnection } from '../../../src/core/runtime/guard-connection.js';
import { createStateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { failure, openTestSource, queryOf, readVersions } from '../source/source-fixture.js';
import { temporaryFolder } from '../../temporary-folder.js';

afterEach(() => vi.unstubAllEnvs());

describe('an address of a database', () => {
  const whole = { host: 'h', port: 5432, user: 'u', password: 'p', database: 'db', sslmode: null };

  it.each([
    ['postgres://u:p@h/db', {}],
    ['postgresql://u:p@h:6432/db', { port: 6432 }],
    ['postgres://u:p@h:/db', {}],
    ['postgres://u:p%40%2F%3A%25%20%2C@h/db', { password: 'p@/:% ,' }],
    ['postgres://u:p@w,x:y@h/db', { password: 'p@w,x:y' }],
    ['postgres://u:@h/db', { password: '' }],
    ['postgres://u@h/db?password=p', {}],
    ['postgres://d%20r:p@h/d%2Fb', { user: 'd r', database: 'd/b' }],
    ['postgres://u:p@[2001:db8::1]:6432/db', { host: '2001:db8::1', port: 6432 }],
    ['postgres://u:p@/db?host=/run/postgresql', { host: '/run/postgresql' }],
    ['postgres://u:p@%2Frun%2Fpostgresql/db', { host: '/run/postgresql' }],
    ['postgres://u:p@other/db?host=h', {}],
    ['postgres://h/db', { user: '', password: '' }],
    ['postgres://u:p@h/db?sslmode=require&channel_binding=require', { sslmode: 'require' }],
    ['postgres://u:p@h/db?sslmode=require&options=-c%20a%3Db&connect_timeout=3', { sslmode: 'require' }],
  ])('%s is taken apart', (text, parts) => {
    expect(readDatabaseAddress(text)).toMatchObject({ ...whole, ...parts });
    expect(addressProblem(text)).toBeNull();
  });

  it.each([
    ['postgres://u:p@/db', /^has no host, and PGHOST does not count/],
    ['postgres://u:p@h/db?channel_binding=perhaps', /^has a channel_binding that is none of/],
    ['postgres://u:p@h', /^has no database, and PGDATABASE/],
    ['postgres://u:p@h1,h2/db', /^names several hosts; write one/],
    ['postgres://u:p@h1:1,h2:2/db', /^names several hosts/],
    ['postgres://u:p@/db?host=h1,h2', /^names several hosts/],
    ['postgres://u:p@h/db?sslmod=require', /^has a parameter sslmod that is not known.*sslmode, sslrootcert/],
    ['postgres://u:p@h/db?sslmode=require&sslmode=disable', /parameter sslmode .* is there twice/],
    ['postgres://u:p@h/db?sslmode=verify_full', /^has an sslmode that is none of disable, /],
    ['postgres://u:p@h/db?sslmode=', /^has an sslmode/],
    ['postgres://u:p@h:0/db', /^has a port/],
    ['postgres://u:p@h/db?connect_timeout=soon', /^has a connect_timeout/],
    ['postgres://u:p%00user%00postgres@h/db', /^has the character U\+0000/],
    ['postgres://u:p@h/db?options=a%00b', /^has the character U\+0000/],
    ['postgres://u:pa/ss@h/db', /its password has a character \(\/\)/],
    ['postgres://u:pa?ss@h/db', /its password has a character \(\?\)/],
    ['postgres://u:p@w?hunter2@h/db', /^has a parameter that is not known/],
    ['postgres://u:p%w@h/db', /% is %25/],
    ['host=h user=u', /^is not an address such as/],
  ])('%s is refused in words', (text, words) => {
    expect(addressProblem(text)).toMatch(words);
    expect(addressProblem(text)).not.toContain('hunter2');
  });

  it('is never less safe than its sslmode says, and tells which mode counts for more', () => {
    const tls = (mode: string) => databaseConnection(`postgres://u:p@h/db?sslmode=${mode}`).ssl;
    for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
      expect(tls(mode)).toEqual({ rejectUnauthorized: true });
    expect([tls('no-verify'), tls('disable')]).toEqual([{ rejectUnauthorized: false }, false]);
    const strict = (mode: string) =>
      strictMode(readDatabaseAddress(`postgres://u:p@h/db?sslmode=${mode}`) as never);
    expect(['prefer', 'verify-full', 'no-verify', 'disable'].map(strict)).toEqual([
      'prefer',
      null,
      null,
      null,
    ]);
  });
});

describe('a file that an address names', () => {
  /** A device, a pipe that nobody writes to, a folder, a link to a device, what is absent, and a foreign file. */
  const traps = () => {
    const folder = temporaryFolder({ 'a-secret': 'token=hunter2\n' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/zero', join(folder, 'link'));
    writeFileSync(join(folder, 'large'), Buffer.alloc(2 * 1024 * 1024));
    return [
      '/dev/zero',
      ...['pipe', 'folder', 'link', 'large', 'absent', 'a-secret'].map((name) => join(folder, name)),
    ];
  };

  it.each(['sslrootcert', 'sslcert', 'sslkey'])(
    '%s is opened only if it is a small file in PEM form',
    async (name) => {
      for (const file of traps()) {
        const url = `postgres://u:p@127.0.0.1:9/db?${name}=${file}`;
        const source = openTestSource(url);
        const error = await failure(readVersions(source, queryOf('select 1 as key')));
        expect(error.message).toMatch(new RegExp(`${name}: ${file} (is not|does not)`));
        expect(error.message).not.toContain('hunter2');
        await source.close();
        const state = createStateDatabase({ url, poolMax: 1, schema: 's' });
        expect(await failure(state.query('select 1'))).toMatchObject({ code: 'state-unavailable' });
        await state.close();
      }
    },
  );
});

/** A server that asks for the password in clear, and keeps what it gets. */
async function openServer(): Promise<{ readonly url: string; readonly got: string[] }> {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let asked = false;
    socket.on('data', (bytes) => {
      got.push(bytes.toString('latin1'));
      // AuthenticationCleartextPassword
      if (asked) return socket.destroy();
      asked = true;
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  return { url: `postgres://u@127.0.0.1:${port}/db`, got };
}

describe('the environment of the process', () => {
  const plant = () => {
    const folder = temporaryFolder({ pgpass: '*:*:*:*:hunter2\n' });
    execFileSync('chmod', ['600', join(folder, 'pgpass')]);
    const planted = {
      ...{ PGPASSWORD: 'hunter2', PGPASSFILE: join(folder, 'pgpass'), PGOPTIONS: '-c hunter2=1' },
      ...{ PGREPLICATION: 'hunter2', PGAPPNAME: 'hunter2', PGUSER: 'hunter2', PGDATABASE: 'hunter2' },
      ...{ PGHOST: '127.0.0.2', PGPORT: '9', PGSSLNEGOTIATION: 'direct', PGCLIENT_ENCODING: 'hunter2' },
    };
    for (const [name, value] of Object.entries(planted)) vi.stubEnv(name, value);
    return planted;
  };

  it('gives a server nothing that the address does not have', async () => {
    for (const left of [[], ['PGPASSWORD']]) {
      const planted = plant();
      for (const name of left) vi.stubEnv(name, undefined);
      expect(Object.keys(planted).length).toBeGreaterThan(5);
      const { url, got } = await openServer();
      const source = openTestSource(url);
      const error = await failure(readVersions(source, queryOf('select 1 as key')));
      expect(error.message).toContain('the server asks for a password, and the address has none');
      expect(error.hint).toContain('PGPASSWORD and ~/.pgpass do not count');
      await source.close();
      expect(got[0]).toContain('user\0u\0database\0db\0application_name\0placement-sync\0');
      expect(got.join()).not.toContain('hunter2');
    }
  });

  it('gives the state database nothing either, by its pool or for migrations', async () => {
    plant();
    const { url, got } = await openServer();
    const state = createStateDatabase({ url, poolMax: 1, schema: 's' });
    const refused = await failure(state.query('select 1'));
    expect(refused).toMatchObject({ code: 'state-unavailable' });
    expect(refused.hint).toContain('Write the password into state.url');
    await expect(state.withKnex((knex) => knex.raw('select 1'))).rejects.toThrow('the address has none');
    await state.close();
    expect(got.length).toBeGreaterThan(0);
    expect(got.join()).not.toContain('hunter2');
  });

  it('sends what the address has: password, options, name', async () => {
    plant();
    const { url, got } = await openServer();
    const more = `${url.replace('u@', 'u:right@')}?options=-c%20a.b%3D1&application_name=mine`;
    const client = new pg.Client(databaseConnection(more));
    guardConnection(client);
    await expect(client.connect()).rejects.toThrow();
    expect(got[0]).toContain('application_name\0mine\0options\0-c a.b=1\0');
    expect(got[1]).toContain('right\0');
  });

  it.each(['require', 'verify-full', 'prefer'])(
    'with PGSSLMODE=%s and no sslmode is an error, not less TLS',
    async (mode) => {
      vi.stubEnv('PGSSLMODE', mode);
      const { url, got } = await openServer();
      const source = openTestSource(url);
      const error = await failure(readVersions(source, queryOf('select 1 as key')));
      expect(error.message).toContain('PGSSLMODE is set, and does not count: write sslmode into the address');
      await source.close();
      expect(got).toEqual([]);
    },
  );
});
