import { FLEET_MIGRATIONS } from '../../../../migrations/fleet/all.js';
import { OTHER_VERSION, SLICE_MS, SUSPECT_ENDS } from '../fleet.js';
import type { SchemaKind } from '../../../core/ledger/database/migrate.js';
import { bindParameters, type StateDatabase } from '../../../core/ledger/database/state-database.js';
import { purgeTenant } from './purge-tenant.js';
import { type ApplyOptions, applyTenants, lockTenants } from './apply-tenants.js';
import type { Lane, LedgerMove, TenantDefinition, TenantRun, TenantSummary } from './types.js';

/**
 * The tenants of a fleet, one row each. `apply` writes what the files say, all or nothing. `takeDue` gives those whose time
 * has come. A replica that runs a tenant notes it (`begin`), asks between two requests whether it may go on (`mayGoOn`), and
 * notes how the run ended (`end`), by which a tenant also changes its lane. A run that nobody ended counts: see `ends`.
 * `remove` only marks a tenant; `purge` deletes it with its ledger (purge-tenant.ts).
 */

/** Whether a run was kept out: it says nothing about the tenant. */
function wasKeptOut({ outcome }: Pick<TenantRun, 'outcome'>): boolean {
  return outcome === 'busy' || outcome === OTHER_VERSION;
}

/** A tenant as its run begins. */
export interface BegunTenant {
  readonly summary: TenantSummary;
  readonly definition: TenantDefinition;
  /** So many replicas in a row ended during its run, and what was being read then has not been passed since. */
  readonly ends: number;
  /** The entity that was being read when the last of them ended; null: none, or not known. */
  readonly sweeping: string | null;
  /** Its last run was not ended: this counted as one of `ends`. */
  readonly wasCut: boolean;
  /** The run that was cut had this definition, too. */
  readonly goesOn: boolean;
}

/** What a run has to say while it goes on. `progress`: nothing is suspected any more. `alone`: it runs alone, and still does. */
export type RunNews = 'none' | 'progress' | 'alone';

/** Where statements run, so that they commit with those of somebody else. */
export interface OpenTransaction {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * The table of tenants. Times are the database's clock, but those of a run are as given. Errors: SyncError
 * `state-unavailable`, `state-failed`.
 */
export type Tenants = ReturnType<typeof createTenants>;

type SummaryRow = Omit<TenantSummary, 'lastRun' | 'running'> & {
  readonly lastRun: StoredRun | null;
  readonly replica: string | null;
  readonly since: Date;
};

type StoredRun = Omit<TenantRun, 'startedAt' | 'finishedAt'> & Record<'startedAt' | 'finishedAt', string>;

const SUMMARY = `name, ledger_schema as "schema", cast(period_ms as double precision) as "periodMs",
  lane_setting as "laneSetting", lane, enabled, paused, removed_at is not null as removed, revision,
  added_at as "addedAt", last_run as "lastRun", last_success_at as "lastSuccessAt",
  running_replica as replica, running_since as since, case when ledger_here then ledger end as ledger, move,
  case when ends >= ${SUSPECT_ENDS} and running_replica is null then (select min(o.name) from :schema:.tenant o
    where o.alone_until > clock_timestamp() and o.name <> tenant.name) end as "waitsFor"`;

/** SQL: the next time of a tenant's own after now. Its name decides when in the period: those of one period are spread. */
const NEXT_AT = `(select to_timestamp((now_ms - (now_ms - phase_ms) % period_ms + period_ms) / 1000.0)
  from (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now_ms,
    cast(cast('x' || left(md5(name), 12) as bit(48)) as bigint) % period_ms as phase_ms) as moment)`;

/** SQL: how long a tenant that runs alone keeps that place without a sign of life: six looks. */
const ALONE_UNTIL = `clock_timestamp() + interval '30 seconds'`;

/** SQL: what `mayGoOn` notes. */
const NOTED = {
  none: [],
  progress: ['ends = 0, alone_until = null'],
  alone: [`alone_until = ${ALONE_UNTIL}`],
};

type TenantRow = SummaryRow & Pick<TenantDefinition, 'configuration' | 'files' | 'ledgerHere'>;

const DEFINITION = `configuration, files, ledger_here as "ledgerHere"`;

const MAY_RUN = 'enabled and not paused and removed_at is null and move is null';

/** SQL: the long runs in a row, or below zero those that were not, after one more run. One that was kept out is none. */
const IN_A_ROW = `case when cast(:busy as boolean) then slices_in_a_row when cast(:isLong as boolean) then greatest(slices_in_a_row, 0) + 1
  else least(slices_in_a_row, 0) - 1 end`;

/** SQL: so many runs in a row move a tenant. */
const MOVES_AFTER = '3';

/** @param ledgerAt the database of a tenant's ledger; null: this one */
export function createTenants(
  database: StateDatabase,
  ledgerAt: (ledger: string, tenant: string) => StateDatabase | null = () => null,
) {
  const changes = changesIn(database);
  return {
    /** In the order of their names; without those that were removed, unless asked for. */
    async list({ removed = false }: { readonly removed?: boolean } = {}): Promise<readonly TenantSummary[]> {
      const rows = await database.query<SummaryRow>(
        `select ${SUMMARY} from :schema:.tenant where removed_at is null or cast(:removed as boolean) order by name`,
        { removed },
      );
      return rows.map(toSummary);
    },

    /** Null: no such tenant, or removed. */
    async read(name: string) {
      const [row] = await database.query<TenantRow>(
        `select ${SUMMARY}, ${DEFINITION} from :schema:.tenant where name = :name and removed_at is null`,
        { name },
      );
      return row ? toTenant(row) : null;
    },

    /** In one transaction. A removed one that is named comes back, as added. */
    apply: (definitions: readonly TenantDefinition[], options: ApplyOptions) =>
      applyTenants(database, definitions, options),

    /** It never runs again; its ledger stays. False: no such tenant. True also when it was removed before. */
    remove: (name: string) =>
      changes(
        `update :schema:.tenant set removed_at = coalesce(removed_at, clock_timestamp())
         where name = :name returning name`,
        { name },
      ),

    /**
     * As `purgeTenant`. Null: no such tenant, or not removed. Errors: also SyncError `busy` while a run holds its lease,
     * `usage` when the schema has tables that are not of a ledger.
     */
    purge: (name: string) =>
      database.transaction(async (statements) => {
        // Nobody waits for long at the table of tenants behind somebody who reads the ledger.
        await statements.query(`select set_config('lock_timeout', '3s', true)`);
        await lockTenants(statements);
        return await purgeTenant(statements, database.schema, name, ledgerAt);
      }),

    /** One that is resumed is due at once. False: no such tenant, or removed. */
    setPaused: (name: string, paused: boolean) =>
      changes(
        `update :schema:.tenant set paused = :paused,
           begun_revision = case when cast(:paused as boolean) then begun_revision else 0 end,
           next_at = case when cast(:paused as boolean) then next_at else clock_timestamp() end
         where name = :name and removed_at is null returning name`,
        { name, paused },
      ),

    /**
     * Those that are due, at most so many, those that waited longest first; what another replica takes in the same moment is
     * left out. Each has its next time with that: in its period, at a moment that its name decides. One is due at once when it
     * is new, changed or resumed.
     */
    async takeDue({ executeSql }: OpenTransaction, most: number) {
      const { text, values } = bindParameters(
        `update :schema:.tenant set next_at = ${NEXT_AT}
         where name in (select name from :schema:.tenant where next_at <= clock_timestamp() and ${MAY_RUN}
           order by next_at limit :most for update skip locked)
         returning name, lane`,
        database.schema,
        { most },
      );
      return (await executeSql(text, [...values])).rows as Pick<TenantSummary, 'name' | 'lane'>[];
    },

    /** All that may run are due now. */
    async makeAllDue() {
      await database.query(
        `update :schema:.tenant set next_at = clock_timestamp() where next_at > clock_timestamp() and ${MAY_RUN}`,
      );
    },

    ...createTenantRuns(database),
    ...createLedgerMoves(database),
  };
}

/** Of a statement that gives the rows that it changed: whether there were any. */
function changesIn(database: StateDatabase) {
  return async (sql: string, parameters: Readonly<Record<string, unknown>>): Promise<boolean> =>
    (await database.query(sql, parameters)).length > 0;
}

/** A run of a tenant: how it begins, whether it may go on, and how it ended. */
function createTenantRuns(database: StateDatabase) {
  const changes = changesIn(database);
  const laneBy = async (sql: string, name: string): Promise<Lane | null> =>
    (await database.query<{ lane: Lane }>(sql, { name }))[0]?.lane ?? null;

  return {
    /**
     * Notes that a run begins, if the tenant may run: enabled, not paused, not removed. Null otherwise: nothing is noted.
     * With a definition that is new since its last run, that run has no slice to go on with: the next one sweeps.
     * A run of another replica that is noted is replaced, and counted in `ends`: the lease of the ledger keeps two apart.
     */
    async begin(name: string, replica: string) {
      const [row] = await database.query<
        TenantRow & Pick<BegunTenant, 'ends' | 'sweeping' | 'wasCut' | 'goesOn'>
      >(
        `update :schema:.tenant set running_replica = :replica, running_since = clock_timestamp(), begun_revision = revision,
           last_run = case when begun_revision = revision then last_run else last_run || '{"usedUpSlice": false}' end,
           ends = before.counted
         from (select running_replica is not null as was_cut, begun_revision = revision as is_same,
             ends + cast(running_replica is not null as integer) as counted
           from :schema:.tenant where name = :name for update) as before
         where name = :name and ${MAY_RUN}
         returning ${SUMMARY}, ${DEFINITION}, ends, sweeping, was_cut as "wasCut", counted > 0 and is_same as "goesOn"`,
        { name, replica },
      );
      if (!row) return null;
      const { ends, sweeping, wasCut, goesOn, ...tenant } = row;
      return { ...toTenant(tenant), ends, sweeping, wasCut, goesOn };
    },

    /**
     * Keeps the one place in the fleet for tenants that may have ended a replica, for 30 s from here and from each
     * `mayGoOn` with `alone`. False: another tenant has it. Then the run of this one has not begun.
     */
    runAlone: (name: string, replica: string) =>
      database.transaction(async (statements) => {
        // Of two that ask at once, the second sees what the first has got.
        await statements.query('select 1 from :schema:.alone for update');
        const [asked] = await statements.query<{ isFree: boolean }>(
          `update :schema:.tenant set
             alone_until = case when is_free then ${ALONE_UNTIL} end,
             running_replica = case when is_free then running_replica end,
             running_since = case when is_free then running_since end
           from (select not exists (select 1 from :schema:.tenant
             where alone_until > clock_timestamp() and name <> :name) as is_free) as others
           where name = :name and running_replica = :replica returning is_free as "isFree"`,
          { name, replica },
        );
        return asked?.isFree ?? false;
      }),

    /**
     * Notes how it ended, and moves a tenant in lane `auto` to `large` after three runs that used up their slices or took as
     * long, or at once after one that outgrew its lane; and back after three that did not. A run that left work of its slice
     * is no success. One that was kept out (`busy`) counts for none of it, and leaves it to the one that goes on elsewhere to
     * be noted. Nothing, if another replica runs it now. `ends` is 0 again, but for one that was kept out, or is condemned for
     * its `ends`. Gives its lane.
     */
    async end(
      name: string,
      replica: string,
      run: TenantRun,
      { isCondemned = false }: { readonly isCondemned?: boolean } = {},
    ) {
      const [ended] = await database.query<{ lane: Lane }>(
        `update :schema:.tenant set running_replica = null, running_since = null,
           last_run = cast(:run as jsonb) || case when cast(:busy as boolean)
             then jsonb_build_object('usedUpSlice', coalesce(last_run -> 'usedUpSlice', 'false')) else '{}' end,
           last_success_at = case when cast(:succeeded as boolean) then clock_timestamp() else last_success_at end,
           slices_in_a_row = ${IN_A_ROW}, alone_until = null,
           ends = case when cast(:busy as boolean) or cast(:isCondemned as boolean) then ends else 0 end,
           sweeping = case when cast(:busy as boolean) or cast(:isCondemned as boolean) then sweeping end,
           lane = case when cast(:busy as boolean) then lane when lane_setting <> 'auto' then lane_setting
             when cast(:outgrewLane as boolean) or ${IN_A_ROW} >= ${MOVES_AFTER} then 'large'
             when ${IN_A_ROW} <= -${MOVES_AFTER} then 'sync' else lane end
         where name = :name
           and (running_replica = :replica or (running_replica is null and last_run ->> 'outcome' in ('busy', '${OTHER_VERSION}')))
         returning lane`,
        {
          name,
          replica,
          run: JSON.stringify(run),
          busy: wasKeptOut(run),
          isCondemned,
          succeeded: run.exitCode === 0 && !run.usedUpSlice,
          outgrewLane: run.outgrewLane ?? false,
          // Also if it had nothing to send: its slot was held up.
          isLong: run.usedUpSlice || run.finishedAt.getTime() - run.startedAt.getTime() >= SLICE_MS,
        },
      );
      return (
        ended?.lane ?? (await laneBy('select lane from :schema:.tenant where name = :name', name)) ?? 'sync'
      );
    },

    /** Where its jobs go now. Null: it may not run, as of `begin`. */
    laneOf: (name: string) =>
      laneBy(`select lane from :schema:.tenant where name = :name and ${MAY_RUN}`, name),

    /**
     * Whether it may go on: also that its definition is still this revision. `sweeping`: notes the entity that is being read;
     * null: none.
     */
    mayGoOn(name: string, revision: number, news: RunNews = 'none', sweeping?: string | null) {
      const noted = [...NOTED[news], ...(sweeping === undefined ? [] : ['sweeping = :sweeping'])].join(', ');
      const row = `where name = :name and revision = :revision and ${MAY_RUN}`;
      return changes(
        noted === ''
          ? `select name from :schema:.tenant ${row}`
          : `update :schema:.tenant set ${noted} ${row} returning name`,
        { name, revision, sweeping },
      );
    },
  };
}

/** The steps of a ledger's move to another database. */
function createLedgerMoves(database: StateDatabase) {
  const changes = changesIn(database);
  return {
    /**
     * From here on no run begins, and one under way ends soon. A move that was cut off is taken over: with the new id, as long
     * as the old ledger is in force; with its own id afterwards. Null: no such tenant, or its ledger is at its `state.url`, or
     * the move with the id `instead`, which this one undoes, is not the present one.
     */
    async beginMove(name: string, { id, to }: Pick<LedgerMove, 'id' | 'to'>, instead: string | null = null) {
      const [row] = await database.query<{
        readonly move: LedgerMove;
        readonly ledger: string;
        /** The move before it, which was cut off; null: none. */
        readonly former: LedgerMove | null;
      }>(
        `update :schema:.tenant t set move = case when t.move ->> 'from' <> ledger then t.move else
             jsonb_build_object('id', cast(:id as text), 'from', ledger, 'to', cast(:to as text),
               'since', clock_timestamp()) end
         from (select move from :schema:.tenant where name = :name for update) as former
         where name = :name and removed_at is null and ledger_here
           and (cast(:instead as text) is null or t.move ->> 'id' = :instead)
         returning t.move, ledger, former.move as former`,
        { name, id, to, instead },
      );
      return row ?? null;
    },

    /** From here on the ledger is that at `to`. False: another process has begun this move again, or it has ended. */
    switchLedger: (name: string, { id, from, to }: LedgerMove) =>
      changes(
        `update :schema:.tenant set ledger = :to, revision = revision + 1
         where name = :name and move ->> 'id' = :id and ledger = :from returning name`,
        { name, id, from, to },
      ),

    /** It may run again, and is due at once. False: as of `switchLedger`. */
    endMove: (name: string, { id, ledger }: { readonly id: string; readonly ledger: string }) =>
      changes(
        `update :schema:.tenant set move = null, begun_revision = 0, next_at = clock_timestamp()
         where name = :name and move ->> 'id' = :id and ledger = :ledger returning name`,
        { name, id, ledger },
      ),
  };
}

function toSummary({ lastRun, replica, since, ...summary }: SummaryRow): TenantSummary {
  return {
    ...summary,
    lastRun: lastRun && {
      ...lastRun,
      startedAt: new Date(lastRun.startedAt),
      finishedAt: new Date(lastRun.finishedAt),
    },
    running: replica === null ? null : { replica, since },
  };
}

function toTenant({
  configuration,
  files,
  ledgerHere,
  ...row
}: TenantRow): Pick<BegunTenant, 'summary' | 'definition'> {
  const { name, schema, periodMs, laneSetting: lane, enabled } = row;
  return {
    summary: toSummary(row),
    definition: { name, configuration, files, periodMs, lane, enabled, schema, ledgerHere },
  };
}

/** The fleet's own schema, for `migrate` and `pendingMigrations`. */
export const FLEET_SCHEMA: SchemaKind = {
  migrations: FLEET_MIGRATIONS,
  recordView: false,
  setting: 'fleet.schema',
  command: 'placement-sync fleet migrate',
};
