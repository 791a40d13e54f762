import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findServerAccount } from '../../../src/features/demo/postgres/binaries.js';
import { type Postgres, startPostgres } from '../../../src/features/demo/postgres/start-postgres.js';
import { createStateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { failure, openTestSource, queryOf, readVersions } from './source-fixture.js';

let server: Postgres;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'placement-sync-tls-'));
  const account = findServerAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const authority = makeAuthority('Authority of the partner');
  const { certificate, key } = authority.issue();
  file('own.pem', authority.certificate);
  file('other.pem', makeAuthority('Authority of somebody else').certificate);
  const settings = {
    ssl: 'on',
    ssl_cert_file: file('server.pem', certificate),
    ssl_key_file: file('server.key', key),
  };
  server = await startPostgres({ env: process.env, settings });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The server's address with what an operator adds to it. */
const address = (authority: string | null) =>
  `${server.superUrl}?sslmode=verify-full${authority ? `&sslrootcert=${join(folder, authority)}` : ''}`;

test('with the certificate of its authority both databases are reached, encrypted', async () => {
  const encrypted = `select ssl::text as key from pg_stat_ssl where pid = pg_backend_pid()`;
  const source = openTestSource(address('own.pem'));
  expect((await readVersions(source, queryOf(encrypted))).map(({ key }) => key)).toEqual(['true']);
  await source.close();
  const state = createStateDatabase({ url: address('own.pem'), poolMax: 1, schema: 's' });
  expect(await state.query(encrypted)).toEqual([{ key: 'true' }]);
  await state.close();
});

test.each([
  ['the certificate of another authority', 'other.pem'],
  ['no certificate', null],
  // Outside of the folder, whose name speaks of TLS.
  ['a file that is not there', '../placement-sync-absent.pem'],
])('with %s both are refused, and it is said which setting to look at', async (_what, authority) => {
  const source = openTestSource(address(authority));
  const error = await failure(readVersions(source, queryOf('select 1 as key')));
  expect(error).toMatchObject({ code: 'source-unavailable', scope: 'run' });
  expect(error.hint).toMatch(/TLS settings of source\.url.*sslrootcert/);
  await source.close();
  const state = createStateDatabase({ url: address(authority), poolMax: 1, schema: 's' });
  const refused = await failure(state.query('select 1'));
  expect(refused).toMatchObject({ code: 'state-unavailable', scope: 'run' });
  expect(refused.hint).toMatch(/TLS settings of state\.url.*sslrootcert/);
  expect(`${error.message} ${refused.message}`).not.toContain(new URL(server.superUrl).password);
  await state.close();
});
