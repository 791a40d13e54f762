import { expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import {
  createMessageCheck,
  guardConnection,
  SOURCE_ROW_BYTES,
} from '../../../src/core/runtime/guard-connection.js';
import { createStateDatabase } from '../../../src/core/ledger/database/state-database.js';
import { withReadOnly } from '../../../src/features/catalog/with-read-only.js';
import { login, message, serverThatSays } from '../../postgres/open-wire.js';
import { failure, openTestSource, queryOf, readRows } from '../source/source-fixture.js';

/** A row with fields of these bytes; null for a null, a number for a length without bytes. */
function row(...fields: readonly (string | null | number)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  const cells = fields.map((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(typeof field === 'number' ? field : field === null ? -1 : Buffer.byteLength(field));
    return Buffer.concat([length, Buffer.from(typeof field === 'string' ? field : '')]);
  });
  return message('D', Buffer.concat([count, ...cells]));
}

const HOSTILE: readonly (readonly [string, Buffer, RegExp])[] = [
  ['a log-in by GSSAPI', login(7), /asks to log in by GSSAPI/],
  ['a log-in of an unknown number', login(99), /asks to log in by way number 99/],
  ['an error without an end', message('E', ''), /error message without an end/],
  ['a notice without an end', message('N', 'SNOTICE\0'), /error message without an end/],
  ['a length of 0', message('Z', '', 0), /impossible length of 0 bytes/],
  ['a negative length', message('D', '', -1 >>> 0), /impossible length of 4294967295 bytes/],
  ['a huge length', message('S', '', 1_000_000_000), /impossible length/],
  ['an unknown type', Buffer.from('\u0001abcdefgh'), /not PostgreSQL's protocol/],
  ['a web page', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /impossible length/],
  ['columns of a negative number', message('D', Buffer.from([0xff, 0xff])), /fields do not fill/],
  ['a row without a number of columns', message('D', ''), /fields do not fill/],
  ['a field that goes back', row('abc', -4), /fields do not fill/],
  ['a field beyond its row', row('abc', 1), /fields do not fill/],
  ['a field that is missing', message('D', Buffer.from([0, 1])), /fields do not fill/],
  ['bytes behind the last field', message('D', Buffer.from([0, 0, 0])), /fields do not fill/],
];

test.each(HOSTILE)('%s is an ordinary error of the source', async (_what, answer, text) => {
  const source = openTestSource(await serverThatSays(answer));
  const error = await failure(readRows(source, queryOf('select 1 as key')));
  await source.close();
  expect(error.code).toBe('source-unavailable');
  expect(error.message).toMatch(text);
  expect(error.hint).toContain('source.url');
});

test.each(HOSTILE)(
  '%s is an ordinary error of the ledger and its migrations',
  async (_what, answer, text) => {
    const url = await serverThatSays(answer);
    const state = createStateDatabase({ url, poolMax: 2, schema: 'placement_sync' });
    onTestFinished(() => state.close());
    for (const work of [state.query('select 1'), state.withKnex((knex) => knex.raw('select 1'))]) {
      const error = state.translated(
        await work.then(
          () => null,
          (reason: unknown) => reason,
        ),
      );
      expect(error.code).toBe('state-unavailable');
      expect(error.message).toMatch(text);
      expect(error.hint).toContain('state.url');
    }
  },
);

test.each(HOSTILE)('%s is an ordinary error of doctor and init', async (_what, answer, text) => {
  const url = await serverThatSays(answer);
  const error = await failure(withReadOnly({ url, statementTimeoutMs: 1_000 }, () => Promise.resolve()));
  expect(error.message).toMatch(text);
});

test('after the switch to another stream the new one is guarded, too', () => {
  const client = new pg.Client();
  guardConnection(client);
  const listeners = new Map<string, (chunk: Buffer) => void>();
  let ended: Error | undefined;
  const secured = {
    on: (event: string, listener: (chunk: Buffer) => void) => listeners.set(event, listener),
    destroy: (error: Error) => (ended = error),
  };
  (
    client as unknown as { connection: { attachListeners(stream: unknown): void } }
  ).connection.attachListeners(secured);
  listeners.get('data')?.(message('E', ''));
  expect(ended?.message).toContain('error message without an end');
});

test('messages of a real server pass, wherever the network cuts them', () => {
  const stream = Buffer.concat([
    login(0),
    message('S', 'TimeZone\0UTC\0'),
    message('N', 'SNOTICE\0Mhello\0\0'),
    message('E', '\0'),
    message('1', ''),
    row('x'.repeat(3_000), null, '', 'é'),
    row(),
    message('Z', 'I'),
  ]);
  for (let size = 1; size < 40; size += 1) {
    const check = createMessageCheck();
    for (let at = 0; at < stream.length; at += size) check(stream.subarray(at, at + size));
  }
  const cut = createMessageCheck();
  const bad = Buffer.concat([message('1', ''), message('E', 'SERROR\0')]);
  const inPieces = () => [...bad].forEach((byte) => cut(Buffer.from([byte])));
  expect(inPieces).toThrow('error message without an end');
});

test('a row that is wrong is refused wherever the network cuts it', () => {
  const bad = Buffer.concat([row('abc', null), row('abc', null, 70_000, 'x')]);
  for (let size = 1; size < 30; size += 1) {
    const check = createMessageCheck();
    const all = () => {
      for (let at = 0; at < bad.length; at += size) check(bad.subarray(at, at + size));
    };
    expect(all).toThrow('fields do not fill');
  }
});

test('a row of 200 megabytes passes, and one that no process can hold does not', () => {
  createMessageCheck()(message('D', '', 200_000_000));
  expect(() => createMessageCheck()(message('D', '', 1_000_000_000))).toThrow('impossible length');
});

test('a row of a source has a bound of its own, and the error says how large it is', () => {
  const wide = (bytes: number) => message('D', '', bytes);
  expect(() => createMessageCheck()(wide(16 * 1024 * 1024 + 1))).not.toThrow();
  const check = () => createMessageCheck(SOURCE_ROW_BYTES);
  expect(() => check()(wide(SOURCE_ROW_BYTES))).not.toThrow();
  expect(() => check()(wide(SOURCE_ROW_BYTES + 1))).toThrow('a row has 41 MB, and may have 40 MB');
});
