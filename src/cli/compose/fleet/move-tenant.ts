import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SyncError, usageError } from '../../../core/domain/errors.js';
import type { Emit } from '../../../core/domain/events.js';
import type { LedgerMove } from '../../../features/fleet/state/types.js';
import type { StateDatabase } from '../../../core/ledger/database/state-database.js';
import {
  arriving,
  copyLedger,
  departing,
  dropSealed,
  prepareTarget,
  sealLedger,
  unsealLedger,
} from '../../../features/fleet/state/move-ledger.js';
import { asSyncError } from '../../../core/run/end.js';
import { migrateState } from '../open-state.js';
import type { OpenedFleet } from './open-fleet.js';

/** What became of a move. */
export interface MovedTenant {
  readonly ledger: string;
  /** Rows that were copied; null: the ledger was there, or its copy was. */
  readonly rows: number | null;
  /** Why the old ledger is still there, sealed; null: it is not, or there was none. */
  readonly kept: string | null;
}

interface MoveOptions {
  readonly tenant: string;
  readonly to: string;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Longest wait for a run that is under way, milliseconds. */
  readonly patienceMs?: number;
}

/** A run ends within seconds; the lease of a replica that was killed within 15. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 500;

/**
 * Moves the ledger of a tenant, without a lost or a doubled record, whenever this process is killed:
 *
 * 1. The tenant's row says that it moves: nobody begins a run (`beginMove`).
 * 2. Both leases of the old ledger are taken for good (`sealLedger`).
 * 3. The target gets the same version and a copy, which is compared, and is sealed itself.
 * 4. The row names the target, in one statement (`switchLedger`). Until here the old ledger is in force, from here the new.
 * 5. The new one is unsealed, the old one is replaced by a note, and the tenant runs again (`endMove`).
 *
 * A move that was cut off is repeated by the same command. With the present ledger as target it is undone before step 4.
 * One that stood still while another one began or ended undoes nothing: the row has another id. `undone`: the move that
 * this one undoes. Errors: SyncError `usage`, `busy`; those of the databases. Then the tenant goes on where it was.
 * `lease-lost`: another move has taken this one over.
 */
export async function moveTenant(
  opened: OpenedFleet,
  options: MoveOptions,
  undone?: LedgerMove,
): Promise<MovedTenant> {
  const { tenants } = opened;
  const { tenant, to } = options;
  const id = randomUUID();
  const begun = await tenants.beginMove(tenant, { id, to }, undone?.id);
  if (begun === null && undone) throw takenOver(tenant);
  if (begun === null)
    throw usageError(
      `The fleet has no tenant "${tenant}" whose ledger it chose.`,
      'placement-sync fleet list shows all of them. A ledger at a state.url of its own moves with pg_dump, and state.url after it.',
    );
  const { move, ledger, former } = begun;
  if (move.from !== ledger) {
    const ended = await endMove(opened, tenant, move, null);
    return ledger === to || undone ? ended : moveTenant(opened, options);
  }
  if (former && former.to !== to) await dropCopy(opened, tenant, former);
  if (ledger === to) return stay(opened, tenant, move);
  try {
    const rows = await copy(opened, options, move);
    if (!(await tenants.switchLedger(tenant, move))) throw takenOver(tenant);
    return await endMove(opened, tenant, move, rows);
  } catch (error) {
    // Also if it is not known whether the row was changed: this asks, and ends what has begun. Whoever has taken the move
    // over may have dropped the tables that this one missed.
    await moveTenant(opened, { ...options, to: ledger }, move).catch((failure: unknown) => {
      if (asSyncError(failure).code === 'lease-lost') throw failure;
    });
    throw error;
  }
}

/** The copy of a move that was cut off goes. Where that is not possible it stays sealed, and a further move writes over it. */
async function dropCopy(opened: OpenedFleet, tenant: string, { id, to }: LedgerMove): Promise<void> {
  await ledgerOf(opened, tenant, to)
    .then((copied) => dropSealed(copied, tenant, arriving(id), null))
    .catch(() => undefined);
}

/** Nothing moves: the ledger that is in force is opened again. */
async function stay(opened: OpenedFleet, tenant: string, { id, from }: LedgerMove): Promise<MovedTenant> {
  const ledger = await ledgerOf(opened, tenant, from);
  if (await hasTables(ledger)) await unsealLedger(ledger, null);
  await opened.tenants.endMove(tenant, { id, ledger: from });
  return { ledger: from, rows: null, kept: null };
}

async function copy(opened: OpenedFleet, options: MoveOptions, move: LedgerMove): Promise<number> {
  const { tenant, emit, signal } = options;
  const { id, from, to } = move;
  const [old, target] = [await ledgerOf(opened, tenant, from), await ledgerOf(opened, tenant, to)];
  const addressOf = (place: string) => ({ url: opened.places.urlOf(place, tenant), schema: old.schema });
  const before = await opened.tenants.read(tenant);
  if (before?.summary.lastSuccessAt && !(await hasTables(old)))
    throw usageError(
      `The ledger of "${tenant}" is not in ${from}: the schema "${old.schema}" has none.`,
      'Without it everything would be sent again. Restore it from a backup, or find out where it is.',
    );
  // Also one that never ran: a replica that began before would make it there.
  await migrateState(addressOf(from), { emit, signal });
  const isOurs = async () => (await opened.tenants.read(tenant))?.summary.move?.id === id;
  await seal(old, options, departing(id, to), isOurs);
  if (!(await isOurs())) {
    await unsealLedger(old, departing(id, to));
    throw takenOver(tenant);
  }
  await prepareTarget(target, tenant, to);
  await migrateState(addressOf(to), { emit, signal });
  const tables = await copyLedger(old, target, { tenant, id, to, signal });
  for (const { name, rows } of tables) if (rows > 0) await target.tidy(`vacuum (analyze) :schema:."${name}"`);
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Waits for a run that is under way, while the move is its own: it would take the seal of a later one. Errors: SyncError `busy`. */
async function seal(
  ledger: StateDatabase,
  { tenant, emit, signal, patienceMs = PATIENCE_MS }: MoveOptions,
  text: string,
  isOurs: () => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let tries = 0; ; tries += 1) {
    if (!(await isOurs())) throw takenOver(tenant);
    const holder = await sealLedger(ledger, text);
    if (holder === null) return;
    if (performance.now() > until || signal.aborted)
      throw new SyncError('busy', `The ledger of "${tenant}" is in use (${holder}), so it was not moved.`, {
        scope: 'run',
        hint: 'Wait until the run has ended. Then move it again.',
      });
    if (tries === 0) emit({ type: 'warning', message: `The move waits for a run of ${tenant} (${holder}).` });
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function endMove(
  opened: OpenedFleet,
  tenant: string,
  move: LedgerMove,
  rows: number | null,
): Promise<MovedTenant> {
  const { id, from, to } = move;
  await unsealLedger(await ledgerOf(opened, tenant, to), arriving(id));
  let kept: string | null = null;
  try {
    await dropSealed(await ledgerOf(opened, tenant, from), tenant, departing(id, to), to);
  } catch (error) {
    // It is sealed, so nobody sends from it.
    kept = asSyncError(error).message;
  }
  await opened.tenants.endMove(tenant, { id, ledger: to });
  return { ledger: to, rows, kept };
}

async function ledgerOf(opened: OpenedFleet, tenant: string, place: string): Promise<StateDatabase> {
  const { places, ledgers, tenants } = opened;
  const pool = ledgers.at(places.urlOf(place, tenant));
  const found = await tenants.read(tenant);
  if (!pool || !found) throw takenOver(tenant);
  return pool.inSchema(found.summary.schema);
}

async function hasTables(ledger: StateDatabase): Promise<boolean> {
  const found = await ledger.query(
    `select 1 from pg_tables where schemaname = :name and tablename = 'lease'`,
    { name: ledger.schema },
  );
  return found.length > 0;
}

function takenOver(tenant: string): SyncError {
  return new SyncError('lease-lost', `Somebody else has begun or ended a move of "${tenant}" meanwhile.`, {
    scope: 'run',
    hint: 'placement-sync fleet list shows where its ledger is.',
  });
}
