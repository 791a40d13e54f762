import { escapeIdentifier } from 'pg';
import { SyncError, usageError } from '../../../core/domain/errors.js';
import { MOVED } from '../../../core/ledger/database/migrate.js';
import type { StateDatabase, Statements } from '../../../core/ledger/database/state-database.js';
import { dropRelations, isLedger, relationsOf } from './purge-tenant.js';

/**
 * The steps of a ledger's move to another database. Each may be repeated, and a process that was stopped and goes on later does
 * no harm with any of them. A move *seals* a ledger: it holds both leases for ever, under a name with its own id.
 *
 * - The old ledger is sealed before the copy, and stays so: whoever still looks there finds it held (`sealLedger`).
 * - The copy arrives sealed, too. Only a ledger that is sealed as arriving, or that nobody ever used, is written over: none
 *   that is in force (`copyLedger`, `prepareTarget`).
 * - In place of the old tables a note says where the ledger is. No process makes a new ledger there (`dropSealed`).
 */

export const departing = (id: string, to: string): string => `fleet move ${id} to ${to}`;
export const arriving = (id: string): string => `fleet move ${id} arrives`;

/** SQL: the holder of a sealed lease. */
const IS_SEALED = `holder like 'fleet move %'`;
const IS_ARRIVING = `holder like 'fleet move % arrives'`;

/** The seconds of a lease are shown as a number of 31 bits. */
const FOR_EVER = `interval '50 years'`;

const SEAL = `holder = :seal, nonce = gen_random_uuid(), expires_at = clock_timestamp() + ${FOR_EVER},
  ttl_ms = extract(epoch from ${FOR_EVER}) * 1000`;

/** Takes both leases for this move, also from a move before it. Gives who holds one; null: it is sealed. */
export function sealLedger(ledger: StateDatabase, seal: string): Promise<string | null> {
  return ledger.transaction(async (statements) => {
    await statements.query(
      `insert into :schema:.lease (name, token, holder, expires_at)
       values ('sweep', 0, '', '-infinity'), ('push', 0, '', '-infinity') on conflict do nothing`,
    );
    // As a process that takes one: whoever holds it in a transaction is waited for.
    await statements.query('select 1 from :schema:.lease order by name for update');
    const [held] = await statements.query<{ holder: string }>(
      `select holder from :schema:.lease where expires_at > clock_timestamp() and not ${IS_SEALED}`,
    );
    if (held) return held.holder;
    await statements.query(
      `update :schema:.lease set token = token + 1, renewals = renewals + 1, ${SEAL} where holder <> :seal`,
      { seal },
    );
    return null;
  });
}

/** Lets runs take the leases again, and says with that that this ledger is in force. `seal`: only of this move; null: of any. */
export async function unsealLedger(ledger: StateDatabase, seal: string | null): Promise<void> {
  await ledger.query(
    `update :schema:.lease set holder = '', expires_at = clock_timestamp(), ttl_ms = null
     where ${IS_SEALED} and holder = coalesce(cast(:seal as text), holder)`,
    { seal },
  );
}

/** Makes room for a copy: a note about an earlier move goes. Errors: SyncError `usage` when a ledger is there. */
export function prepareTarget(ledger: StateDatabase, tenant: string, place: string): Promise<void> {
  return ledger.transaction(async (statements) => {
    const relations = await relationsOf(statements, ledger.schema);
    if (relations.length === 0) return;
    if (isLedger(relations)) return refuseLive(statements, ledger.schema, tenant, place);
    const isNote =
      relations.length === 1 && relations[0]?.name === 'migration' && (await hasNote(statements));
    if (!isNote)
      throw usageError(
        `The schema "${ledger.schema}" in ${place} has tables that are not of a ledger, so the ledger of "${tenant}" was not moved.`,
        'Move these tables to another schema, or drop them.',
      );
    await statements.query('drop table :schema:.migration');
  });
}

async function hasNote(statements: Statements): Promise<boolean> {
  const found = await statements.query(`select 1 from :schema:.migration where starts_with(name, :moved)`, {
    moved: MOVED,
  });
  return found.length > 0;
}

/** Errors: SyncError `usage` for a ledger that somebody uses or used, and that is not a copy which never came into force. */
async function refuseLive(
  statements: Statements,
  schema: string,
  tenant: string,
  place: string,
): Promise<void> {
  const [used] = await statements.query(
    `select 1 from :schema:.lease where not ${IS_ARRIVING} union all select 1 from :schema:.sync_run
     where not exists (select 1 from :schema:.lease) limit 1`,
  );
  if (used)
    throw usageError(
      `The schema "${schema}" in ${place} has a ledger already, so that of "${tenant}" was not moved.`,
      'It knows what was sent to the platform. If it is not needed, drop the schema. Then move again.',
    );
}

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
}

interface Column {
  readonly name: string;
  readonly isGenerated: boolean;
  readonly isIdentity: boolean;
}

/** Rows that are read and written at a time. */
const ROWS_AT_ONCE = 1_000;

/** Texts of values must not depend on the servers’ settings. A process that was stopped holds nothing for longer than this. */
const SETTINGS = `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
  set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
  set_config('extra_float_digits', '1', true), set_config('idle_in_transaction_session_timeout', '120000', true),
  set_config('statement_timeout', '600000', true)`;

/**
 * Copies a sealed ledger as it is at one moment to a migrated one, which is sealed as arriving then; all or nothing. Of each
 * table the count and the sum of all rows' hashes are compared. Errors: SyncError `lease-lost` when the old one is not
 * sealed by this move, `usage` as `prepareTarget`, `state-failed` when the copy differs.
 */
export function copyLedger(
  from: StateDatabase,
  to: StateDatabase,
  move: { readonly tenant: string; readonly id: string; readonly to: string; readonly signal: AbortSignal },
): Promise<readonly CopiedTable[]> {
  return from.transaction(
    (source) =>
      to.transaction(async (target) => {
        await target.query(SETTINGS);
        await target.query('lock table :schema:.lease in exclusive mode');
        await refuseLive(target, to.schema, move.tenant, move.to);
        const tables = await tablesOf(target, to.schema);
        const names = [...tables.keys()].map((name) => `:schema:.${escapeIdentifier(name)}`).join(', ');
        await target.query(`truncate ${names}, :schema:.lease restart identity`);

        // Before the first look: what commits until then is seen, and nobody writes until the end.
        await source.query(`lock table ${names} in share mode`);
        await source.query(SETTINGS);
        const seal = departing(move.id, move.to);
        const sealed = await source.query('select 1 from :schema:.lease where holder = :seal', { seal });
        if (sealed.length === 0)
          throw new SyncError('lease-lost', 'Another move of this ledger has begun meanwhile.', {
            scope: 'run',
          });
        const copied: CopiedTable[] = [];
        for (const [name, columns] of tables)
          copied.push(await copyTable(source, target, { name, columns, from: from.schema, to: to.schema }));
        await target.query(
          `insert into :schema:.lease (name, token, renewals, holder, expires_at)
           select name, token, renewals, '', '-infinity' from jsonb_to_recordset(cast(:leases as jsonb))
             as given(name text, token bigint, renewals bigint)`,
          {
            leases: JSON.stringify(
              await source.query(
                'select name, cast(token as text) as token, cast(renewals as text) as renewals from :schema:.lease',
              ),
            ),
          },
        );
        // Without its origin: it is another copy of the database, and nothing of it is in doubt.
        await target.query(`update :schema:.lease set ${SEAL}`, { seal: arriving(move.id) });
        return copied;
      }, move.signal),
    move.signal,
    'afterLocks',
  );
}

/** The tables of a migrated ledger that are copied, with their columns. Its migrations and leases are its own. */
async function tablesOf(
  statements: Statements,
  schema: string,
): Promise<ReadonlyMap<string, readonly Column[]>> {
  const rows = await statements.query<{ name: string; columns: readonly Column[] }>(
    `select c.relname as name, jsonb_agg(jsonb_build_object('name', a.attname, 'isGenerated', a.attgenerated <> '',
       'isIdentity', a.attidentity <> '') order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = :name and c.relkind in ('r', 'p') and c.relname not in ('lease', 'migration', 'migration_lock')
     group by c.relname order by c.relname`,
    { name: schema },
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

async function copyTable(
  source: Statements,
  target: Statements,
  table: {
    readonly name: string;
    readonly columns: readonly Column[];
    readonly from: string;
    readonly to: string;
  },
): Promise<CopiedTable> {
  const { name, columns } = table;
  const at = `:schema:.${escapeIdentifier(name)}`;
  const all = columns.map((column) => escapeIdentifier(column.name));
  const written = columns
    .filter(({ isGenerated }) => !isGenerated)
    .map((column) => escapeIdentifier(column.name));
  const whole = `cast(row(${all.join(', ')}) as text)`;
  const insert = `insert into ${at} (${written.join(', ')}) overriding system value
    select ${written.map((column) => `(given.r).${column}`).join(', ')}
    from (select cast(v as ${at}) as r from unnest(cast(:rows as text[])) as v offset 0) as given`;
  await source.query(`declare copied no scroll cursor for select ${whole} as row from ${at}`);
  for (;;) {
    const rows = await source.query<{ row: string }>(`fetch forward ${ROWS_AT_ONCE} from copied`);
    if (rows.length > 0) await target.query(insert, { rows: rows.map(({ row }) => row) });
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await source.query('close copied');
  for (const column of columns.filter(({ isIdentity }) => isIdentity))
    await copySequence(source, target, { ...table, column: column.name });
  const sum = `select cast(count(*) as integer) as rows,
    cast(coalesce(sum(cast(cast('x' || left(md5(${whole}), 15) as bit(60)) as bigint)), 0) as text) as hashes from ${at}`;
  const [before] = await source.query<{ rows: number; hashes: string }>(sum);
  const [after] = await target.query<{ rows: number; hashes: string }>(sum);
  if (before?.rows !== after?.rows || before?.hashes !== after?.hashes)
    throw new SyncError(
      'state-failed',
      `The copy of the table "${name}" differs: ${before?.rows ?? 0} rows, and ${after?.rows ?? 0} in the copy.`,
      { scope: 'run', hint: 'The ledger stays where it is. Move it again; if this repeats, report it.' },
    );
  return { name, rows: before?.rows ?? 0 };
}

/** The next number of a column must not be one that was given already. */
async function copySequence(
  source: Statements,
  target: Statements,
  table: { readonly name: string; readonly column: string; readonly from: string; readonly to: string },
): Promise<void> {
  const nameIn = async (statements: Statements, schema: string): Promise<string> => {
    const [found] = await statements.query<{ sequence: string }>(
      'select pg_get_serial_sequence(:at, :column) as sequence',
      { at: `${escapeIdentifier(schema)}.${escapeIdentifier(table.name)}`, column: table.column },
    );
    return found?.sequence ?? '';
  };
  const [last] = await source.query<{ value: string; isCalled: boolean }>(
    `select cast(last_value as text) as value, is_called as "isCalled" from ${await nameIn(source, table.from)}`,
  );
  await target.query('select setval(cast(:sequence as regclass), cast(:value as bigint), :isCalled)', {
    sequence: await nameIn(target, table.to),
    ...last,
  });
}

/**
 * Deletes a ledger that is sealed so: the old one of a move that has ended, with a note where it is now (`movedTo`), or a
 * copy that never came into force. False: it is not sealed so any more, and somebody else's ledger, or there is none.
 * Errors: SyncError `usage` when something else needs its tables.
 */
export function dropSealed(
  ledger: StateDatabase,
  tenant: string,
  seal: string,
  movedTo: string | null,
): Promise<boolean> {
  return ledger.transaction(async (statements) => {
    const relations = await relationsOf(statements, ledger.schema);
    if (!isLedger(relations)) return false;
    const holders = await statements.query<{ holder: string }>(
      'select holder from :schema:.lease order by name for update',
    );
    if (holders.length === 0 || holders.some(({ holder }) => holder !== seal)) return false;
    if (movedTo === null) {
      const dropSchema = `drop schema ${escapeIdentifier(ledger.schema)}`;
      await dropRelations(statements, tenant, ledger.schema, relations, dropSchema);
      return true;
    }
    await dropRelations(statements, tenant, ledger.schema, relations);
    await statements.query('create table :schema:.migration (name text primary key)');
    await statements.query('insert into :schema:.migration (name) values (:name)', {
      name: `${MOVED}${movedTo}`,
    });
    return true;
  });
}
