import { expect, test } from 'vitest';
import { entity } from '../../../src/entities/index.js';
import { idOf, openTestState, wants } from '../open-test-state.js';

/** What the source says of a record: it is the same for every platform. */
const OF_THE_SOURCE = [
  ...['entity', 'key', 'platform_id', 'parent_platform_id', 'row_version', 'desired_hash', 'desired_payload'],
  ...['invalid_reason', 'vanished_at', 'expired', 'desired_at', 'noted'],
];

interface ColumnType {
  readonly name: string;
  readonly type: string;
  readonly generated: boolean;
}

/** A value of a type that no column has by itself. */
const VALUES: Readonly<Record<string, unknown>> = {
  text: 'x',
  uuid: '0190a000-0000-7000-8000-000000000001',
  'uuid[]': ['0190a000-0000-7000-8000-000000000001'],
  bigint: 7,
  integer: 7,
  smallint: 7,
  boolean: true,
  jsonb: '{"a":1}',
  'timestamp with time zone': '2026-01-02T03:04:05Z',
};

test('every column of the ledger is either of the source, or cleared for another platform', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('fresh', '1'), wants('a', '1'));
  const columns = await state.sql<ColumnType & Record<string, unknown>>(
    `select attname as name, format_type(atttypid, atttypmod) as type, attgenerated <> '' as generated
     from pg_attribute where attrelid = 'placement_sync.sync_state'::regclass and attnum > 0 and not attisdropped`,
  );
  const filled = columns.filter(({ name, generated }) => !generated && !OF_THE_SOURCE.includes(name));
  for (const { name, type } of filled) {
    expect(VALUES, `this test needs a value for ${name}`).toHaveProperty([type]);
    await state.sql(`update placement_sync.sync_state set ${name} = $1::${type} where key = 'a'`, [
      VALUES[type],
    ]);
  }
  const before = await state.row('a');
  const fresh = await state.row('fresh');
  const other = {
    area: 'jobs',
    baseUrl: 'https://two.example',
    clientId: 'a',
    namespace: idOf('n'),
  } as const;
  await state.environments.add([{ ...other, baseUrl: 'https://one.example' }]);
  expect(await state.environments.reset(state.push, [other], [entity('companies')])).toBe(2);
  const after = await state.row('a');
  for (const { name } of filled) {
    expect(before?.[name], `${name} was filled`).not.toEqual(fresh?.[name]);
    expect(
      after?.[name],
      `${name}: clear it in forget-acknowledgements.ts, or list it here as of the source`,
    ).toEqual(fresh?.[name]);
  }
  for (const name of OF_THE_SOURCE) expect(after?.[name]).toEqual(before?.[name]);
});
