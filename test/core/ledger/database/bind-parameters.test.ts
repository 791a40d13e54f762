import knexModule from 'knex';
import { expect, test } from 'vitest';
import { bindParameters } from '../../../../src/core/ledger/database/state-database.js';

const knex = knexModule.default({ client: 'pg', version: '13' });

test.each([
  ['select :a, :b, :a', { a: 1, b: 'x' }],
  ['select * from :schema:.sync_state s where s.key > :after', { after: 'k' }],
  ["select to_char(now(), 'HH24:MI:SS'), cast(:at as text)::text", { at: null }],
  ["select ':a' || :b", { b: ['x', 'y'] }],
  ['select f."desiredHash", coalesce(:noted::jsonb, null)', { noted: '{}' }],
  ['select x[1:2], :first', { first: [1] }],
  ['select 1 where seq between :first and :last', { first: 1, last: 2 }],
])('%s: as the library does it that knows the same names', (sql, parameters) => {
  const native = knex
    .raw(sql, { ...parameters, schema: 'placement_sync' } as never)
    .toSQL()
    .toNative();
  const bound = bindParameters(sql, 'placement_sync', parameters);
  expect(bound.text).toBe(native.sql);
  expect(bound.values).toEqual([...native.bindings]);
});

test('any name of a schema is quoted as one name', () => {
  expect(bindParameters('select 1 from :schema:.lease', 'a "b".c', {}).text).toBe(
    'select 1 from "a ""b"".c".lease',
  );
});

test('a name that an object inherits is no parameter, and an absent value is null for the driver', () => {
  expect(bindParameters('select :toString, :a', 's', { a: undefined })).toEqual({
    text: 'select :toString, $1',
    values: [undefined],
  });
});
