import type { Command } from 'commander';
import type { TenantOptions } from '../../../features/fleet/config/check-tenant.js';
import { type LoadedFleet, loadFleet } from '../../../features/fleet/config/load-fleet.js';
import { readTenantFile, readTenantFolder } from '../../../features/fleet/config/read-tenants.js';
import { SyncError, usageError } from '../../../core/domain/errors.js';
import type { Emit } from '../../../core/domain/events.js';
import type { ActionName } from '../../../core/domain/operator-action.js';
import { credentialOf } from '../../../features/fleet/platform-credential.js';
import { fleetReport } from '../../../features/fleet/fleet-report.js';
import { checkNode } from '../../../features/fleet/open-job-queue.js';
import { migrate, MIGRATION_DATABASE } from '../../../core/ledger/database/migrate.js';
import { createStateDatabase } from '../../../core/ledger/database/state-database.js';
import { FLEET_SETTINGS } from '../../../core/ledger/database/translate-state-error.js';
import { FLEET_SCHEMA } from '../../../features/fleet/state/tenants.js';
import { createOperatorActions } from '../../../features/actions/action-store.js';
import { createSharedRates, type SharedRates } from '../../../features/fleet/state/shared-rates.js';
import { type Done, exitOutcome } from '../../../features/actions/operator-actions.js';
import { listActions } from '../actions.js';
import { standardErrorListener } from '../../command-context.js';
import { commonOptions, type Handler } from '../../common-options.js';
import { migrateTenants } from '../../compose/fleet/migrate-tenants.js';
import { moveTenant } from '../../compose/fleet/move-tenant.js';
import {
  type OpenedFleet,
  openEngine,
  readFleetReport,
  withFleet,
  withLedgerSizes,
} from '../../compose/fleet/open-fleet.js';
import { systemClock } from '../../compose/package-info.js';
import { io, isConfirmed } from '../../io.js';
import { noted } from '../../operator.js';
import { FLEET_TIME_ZONE } from '../../output/local-time.js';
import { movedText, printFleetList, printFleetStatus, purgedText } from '../../output/print-fleet.js';
import { say, writeJson } from '../../output/write.js';
import type { TenantDefinition, TenantSummary } from '../../../features/fleet/state/types.js';
import type { AppliedTenants } from '../../../features/fleet/state/apply-tenants.js';

const CHANGES = [
  'added',
  'changed',
  'removed',
  'unchanged',
] as const satisfies readonly (keyof AppliedTenants)[];

const SHOWN = 10;

export const fleetApply = tenantsCommand(async (opened, context) => {
  const { fleet, words } = context;
  const definitions = readTenantFolder(words[0] ?? '.', options(fleet));
  const applied = await change(opened, context, 'fleet apply', [], () => apply(opened, definitions, true));
  sayApplied(applied);
  return 0;
});

export const fleetAdd = tenantsCommand(async (opened, context) => {
  const { fleet, words } = context;
  const definition = readTenantFile(words[0] ?? '', options(fleet));
  const applied = await change(opened, context, 'fleet add', [definition.name], () =>
    apply(opened, [definition], false),
  );
  sayApplied(applied);
  return 0;
});

/** As the default of `state.deliveryRetention`: a fleet has no such setting. */
const ACTIONS_KEPT_MS = 400 * 86_400_000;

/** Does it with a row in the fleet's own table, from which old rows go. `named`: tenants. */
async function change<T>(
  { database }: Pick<OpenedFleet, 'database'>,
  { command, emit }: FleetCommand,
  action: ActionName,
  named: readonly string[],
  work: () => Promise<Done<T>>,
): Promise<T> {
  const { reason = null } = command.opts<{ readonly reason?: string }>();
  const state = { operatorActions: createOperatorActions(database) };
  await state.operatorActions.prune(ACTIONS_KEPT_MS);
  return noted({ state, emit }, { action, entity: null, keys: named, reason }, work);
}

async function apply(
  { tenants, places }: OpenedFleet,
  definitions: readonly TenantDefinition[],
  removeOthers: boolean,
): Promise<Done<AppliedTenants>> {
  const { place } = places;
  const result = await tenants.apply(definitions, { removeOthers, place });
  const { added, changed, removed } = result;
  return { result, counts: { added: added.length, changed: changed.length, removed: removed.length } };
}

/** Takes a tenant out of the fleet; its ledger stays, unless it is purged and in the fleet's database. */
export const fleetRemove = tenantsCommand(async (opened, context) => {
  const { tenants } = opened;
  const { command, words } = context;
  const name = words[0] ?? '';
  const { purge = false, yes = false } = command.opts<{ purge?: boolean; yes?: boolean }>();
  if (purge && !(await isPurgeWanted(await tenants.list({ removed: true }), name, yes))) {
    say('Nothing was removed.');
    return 1;
  }
  await refuseMoving(opened, name);
  const action = purge ? 'fleet remove --purge' : 'fleet remove';
  const purged = await change(opened, context, action, [name], async () => {
    const removed = await tenants.remove(name);
    const result = purge ? await tenants.purge(name) : null;
    if (purge ? result === null : !removed) throw unknownTenant(name);
    return { result };
  });
  if (purged !== null) {
    say(purgedText(name, purged));
    return 0;
  }
  say(
    `${name} is removed. A run under way stops within seconds. Its ledger stays. One in a database of the fleet is deleted by: placement-sync fleet remove ${name} --purge`,
  );
  return 0;
});

/** Errors: SyncError `usage` for a tenant whose ledger moves. */
async function refuseMoving({ tenants }: OpenedFleet, name: string): Promise<void> {
  const move = (await tenants.read(name))?.summary.move;
  if (move)
    throw usageError(
      `The ledger of ${name} moves from ${move.from} to ${move.to}. If nobody moves it any more, that was cut off.`,
      `End the move: placement-sync fleet move ${name} --to ${move.to}`,
    );
}

/** Errors: SyncError `usage` for an unknown tenant. */
function setPaused(opened: OpenedFleet, context: FleetCommand, name: string, paused: boolean): Promise<null> {
  return change(opened, context, paused ? 'fleet pause' : 'fleet resume', [name], async () => {
    if (!(await opened.tenants.setPaused(name, paused))) throw unknownTenant(name);
    return { result: null };
  });
}

export const fleetPause = tenantsCommand(async (opened, context) => {
  const name = context.words[0] ?? '';
  await setPaused(opened, context, name, true);
  say(
    `${name} is paused. A run under way stops within seconds. To go on: placement-sync fleet resume ${name}`,
  );
  return 0;
});

export const fleetResume = tenantsCommand(async (opened, context) => {
  const { command, words } = context;
  const [name] = words;
  const { clientId } = command.opts<{ clientId?: string }>();
  if ((name === undefined) === (clientId === undefined))
    throw usageError(
      'fleet resume needs a tenant or --client-id, one of the two.',
      'placement-sync fleet status shows the pauses that stand.',
    );
  if (clientId !== undefined)
    return await change(opened, context, 'fleet resume', [clientId], () =>
      endPauses(createSharedRates(opened.database), clientId),
    );
  await refuseMoving(opened, name ?? '');
  await setPaused(opened, context, name ?? '', false);
  say(`${name} runs again as soon as a replica has a free slot.`);
  return 0;
});

/** Says what a purge deletes and asks. Errors: SyncError `usage` for an unknown tenant, and where nobody can answer. */
async function isPurgeWanted(all: readonly TenantSummary[], name: string, yes: boolean): Promise<boolean> {
  const tenant = all.find((one) => one.name === name);
  if (!tenant) throw unknownTenant(name);
  say(
    `--purge deletes the ledger of ${name}, the schema "${tenant.schema}", unless it is at a state.url of its own: what the platform accepted, the journal (the proof of reporting) and the applications of the inbox. Only a backup brings it back.`,
  );
  const asked = { what: 'fleet remove --purge', again: `placement-sync fleet remove ${name} --purge --yes` };
  return yes || isConfirmed(`Remove ${name} and delete its ledger?`, asked);
}

async function endPauses(rates: SharedRates, clientId: string): Promise<Done<number>> {
  const waiting = new Set((await rates.pauses()).map(({ credential }) => credential));
  let count = 0;
  for (const credential of await rates.credentials()) {
    const found = credentialOf(credential);
    if (found?.clientId !== clientId || !(await rates.endPause(credential))) continue;
    count += 1;
    const ended = waiting.has(credential)
      ? `The wait of the client id ${clientId} at ${found.origin} has ended`
      : `The lower rate that the platform taught the client id ${clientId} at ${found.origin} is forgotten`;
    say(`${ended}. Its tenants send with their next runs.`);
  }
  if (count === 0)
    say(`No platform has asked the client id ${clientId} to wait, and none has taught it a lower rate.`);
  return { result: 0, outcome: count === 0 ? 'nothing' : 'done', counts: { pauses: count } };
}

function options({ settings, variables }: LoadedFleet): TenantOptions {
  const { periodMs, schema } = settings.fleet;
  return { defaultPeriodMs: periodMs, fleetSchema: schema, variables, cwd: io().cwd };
}

function sayApplied(applied: AppliedTenants): void {
  for (const change of CHANGES) {
    const names = applied[change];
    if (names.length === 0) continue;
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    const which = change === 'unchanged' ? '' : `: ${names.slice(0, SHOWN).join(', ')}${more}`;
    say(`${names.length} ${change}${which}`);
  }
  if (applied.added.length > 0) say('New tenants run as soon as a replica has a free slot.');
}

export const fleetList = tenantsCommand(async ({ tenants }, { command }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const report = fleetReport(await tenants.list(), new Date(systemClock.now()), null);
  printFleetList(report, { json });
  return 0;
});

export const fleetActions = tenantsCommand(async ({ database }, { command }) =>
  listActions(createOperatorActions(database), command, FLEET_TIME_ZONE),
);

/** The state of the fleet, the worst tenants first. It changes nothing, and needs no engine that works. */
export const fleetStatus = tenantsCommand(async (opened, { command }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const report = await withLedgerSizes(opened, await readFleetReport(opened.readers));
  if (json) writeJson(report);
  else printFleetStatus(report);
  return 0;
});

export const fleetSync = tenantsCommand(async (opened, context) => {
  const { tenants } = opened;
  const { fleet, emit, words } = context;
  const name = words[0] ?? '';
  const found = await tenants.read(name);
  if (found === null) throw unknownTenant(name);
  await refuseMoving(opened, name);
  const { enabled, paused, lane } = found.summary;
  if (!enabled || paused) {
    say(
      paused
        ? `${name} is paused. First: placement-sync fleet resume ${name}`
        : `${name} is switched off by its file (tenant.enabled). Change the file, and apply it.`,
    );
    return 2;
  }
  const queue = await openEngine(fleet, emit);
  try {
    const sent = await change(opened, context, 'fleet sync', [name], async () => {
      const result = await queue.send(name, lane);
      return { result, outcome: result ? 'done' : 'nothing' };
    });
    say(
      sent
        ? `${name} is in the line. The next free replica runs it; placement-sync fleet status shows how it goes.`
        : `${name} is in the line already, or runs now.`,
    );
    return 0;
  } finally {
    await queue.close();
  }
});

export const fleetMove = tenantsCommand(async (opened, context) => {
  const { command, emit, signal, words } = context;
  const tenant = words[0] ?? '';
  const { to = '' } = command.opts<{ to?: string }>();
  const place = opened.places.named(to);
  const moved = await change(opened, context, 'fleet move', [tenant], async () => {
    const result = await moveTenant(opened, { tenant, to: place, emit, signal });
    return { result, outcome: result.rows === null ? 'nothing' : 'done', counts: { rows: result.rows ?? 0 } };
  });
  say(movedText(tenant, moved));
  return 0;
});

interface FleetCommand {
  readonly command: Command;
  readonly fleet: LoadedFleet;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly words: readonly string[];
}

/** Reads the fleet's configuration and does `work`. */
function fleetCommand(work: (context: FleetCommand) => Promise<number>): Handler {
  return ({ command, signal, arguments: words }) => {
    checkNode(process.versions.node);
    const { config: file, quiet = false } = commonOptions(command);
    const fleet = loadFleet({ file, ...io() });
    const { level, format } = fleet.settings.logging;
    const emit = standardErrorListener({ level, format, quiet, bar: false });
    return work({ command, fleet, emit, signal, words });
  };
}

export function tenantsCommand(
  work: (opened: OpenedFleet, context: FleetCommand) => Promise<number>,
): Handler {
  return fleetCommand((context) => withFleet(context.fleet, (opened) => work(opened, context)));
}

/** The same; a database that is away is waited for. A signal ends the wait, and the command, in order. */
export function waitingCommand(work: Parameters<typeof tenantsCommand>[0]): Handler {
  return fleetCommand(async (context) => {
    let hasBegun = false;
    const begin = (opened: OpenedFleet) => {
      hasBegun = true;
      return work(opened, context);
    };
    return await withFleet(context.fleet, begin, context).catch((error: unknown) => {
      if (context.signal.aborted && !hasBegun) return 0;
      throw error;
    });
  });
}

function unknownTenant(name: string): SyncError {
  return usageError(`The fleet has no tenant "${name}".`, 'placement-sync fleet list shows all of them.');
}

export const fleetMigrate = fleetCommand(async (context) => {
  const { fleet, emit, signal } = context;
  const names = await migrateOwn(context);
  say(
    names.length === 0
      ? 'The fleet’s tables are up to date.'
      : `The fleet’s tables: applied ${names.join(', ')}.`,
  );
  const work = 'Migrating the ledgers';
  return withFleet(fleet, async (opened) => {
    const migrateAll = async () => {
      emit({ type: 'work-started', work, total: null });
      const result = await migrateTenants({
        ...opened,
        variables: fleet.variables,
        env: io().env,
        emit,
        signal,
        onDone: (done) => emit({ type: 'work-advanced', work, done }),
      }).finally(() => emit({ type: 'work-ended', work }));
      const counts = { migrated: result.migrated.length, failed: result.failed.length };
      return { result, outcome: exitOutcome(counts.failed > 0 ? 1 : 0), counts };
    };
    const { migrated, upToDate, failed } = await change(opened, context, 'fleet migrate', [], migrateAll);
    say(`Ledgers: ${migrated.length} migrated, ${upToDate} were up to date, ${failed.length} failed.`);
    failed.forEach(({ tenant, message }) => say(`${tenant}: ${message}`));
    if (failed.length > 0)
      say('The others are done. Correct what the lines say, and run fleet migrate again.');
    return failed.length > 0 || signal.aborted ? 1 : 0;
  });
});

/** The database, if everybody may connect to it and somebody else can log in. */
const OPEN_TO_ALL = `select quote_ident(d.datname) as name, quote_ident(current_user) as role from pg_database d
  where d.datname = current_database() and exists (select 1 from pg_roles r where r.rolcanlogin and not r.rolsuper
      and not pg_has_role(r.oid, d.datdba, 'member') and r.rolname <> current_user)
    and exists (select 1 from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where a.grantee = 0 and a.privilege_type = 'CONNECT')`;

async function migrateOwn({ fleet, emit, signal }: FleetCommand): Promise<readonly string[]> {
  const { database: at, schema } = fleet.settings.fleet;
  const database = createStateDatabase({
    url: at.url,
    schema,
    settings: FLEET_SETTINGS,
    ...MIGRATION_DATABASE,
  });
  try {
    const onBlocked = (message: string) => emit({ type: 'warning', message });
    const names = await migrate(database, { kind: FLEET_SCHEMA, signal, onBlocked });
    const [open] = await database.query<{ name: string; role: string }>(OPEN_TO_ALL);
    if (open)
      emit({
        type: 'warning',
        message: `Every role of the server may connect to the fleet’s database ${open.name}, and use up its connections.`,
        hint: `As its owner, for each role of the fleet: grant connect on database ${open.name} to ${open.role}. Then: revoke connect on database ${open.name} from public`,
      });
    return names;
  } finally {
    await database.close();
  }
}
