import type { TenantOptions } from '../../../config/fleet/check-tenant.js';
import type { LoadedFleet } from '../../../config/fleet/load-fleet.js';
import { readTenantFile, readTenantFolder } from '../../../config/fleet/read-tenants.js';
import { SyncError } from '../../../domain/errors.js';
import { credentialOf } from '../../../domain/platform-credential.js';
import type { AppliedTenants, SharedRates, TenantSummary } from '../../../ports/tenants.js';
import { createSharedRates } from '../../../state/shared-rates.js';
import { io } from '../../io.js';
import { isConfirmed } from '../../is-confirmed.js';
import { purgedText } from '../../output/purged-text.js';
import { say } from '../../output/write.js';
import { tenantsCommand, unknownTenant } from './fleet-command.js';

const CHANGES = [
  'added',
  'changed',
  'removed',
  'unchanged',
] as const satisfies readonly (keyof AppliedTenants)[];

/** Names shown of each kind of change. */
const SHOWN = 10;

/** Makes the table of tenants equal to a folder of files. */
export const fleetApply = tenantsCommand(async ({ tenants }, { fleet, words: [folder = '.'] }) => {
  const definitions = readTenantFolder(folder, options(fleet));
  const applied = await tenants.apply(definitions, { removeOthers: true });
  sayApplied(applied);
  return 0;
});

/** Adds one tenant, or changes it. */
export const fleetAdd = tenantsCommand(async ({ tenants }, { fleet, words: [file = ''] }) => {
  const definition = readTenantFile(file, options(fleet));
  sayApplied(await tenants.apply([definition], { removeOthers: false }));
  return 0;
});

/** Takes a tenant out of the fleet; its ledger stays, unless it is purged and in the fleet's database. */
export const fleetRemove = tenantsCommand(async ({ tenants }, { command, words: [name = ''] }) => {
  const { purge = false, yes = false } = command.opts<{ purge?: boolean; yes?: boolean }>();
  if (purge && !(await isPurgeWanted(await tenants.list({ removed: true }), name, yes))) {
    say('Nothing was removed.');
    return 1;
  }
  const removed = await tenants.remove(name);
  if (purge) {
    const purged = await tenants.purge(name);
    if (purged === null) throw unknownTenant(name);
    say(purgedText(name, purged));
    return 0;
  }
  if (!removed) throw unknownTenant(name);
  say(
    `${name} is removed. A run under way stops within seconds. Its ledger stays. One in the fleet’s database is deleted by: placement-sync fleet remove ${name} --purge`,
  );
  return 0;
});

/** Stops a tenant until it is resumed. */
export const fleetPause = tenantsCommand(async ({ tenants }, { words: [name = ''] }) => {
  if (!(await tenants.setPaused(name, true))) throw unknownTenant(name);
  say(
    `${name} is paused. A run under way stops within seconds. To go on: placement-sync fleet resume ${name}`,
  );
  return 0;
});

/** Lets a paused tenant run again, or all that a platform asked to wait. */
export const fleetResume = tenantsCommand(async ({ database, tenants }, { command, words: [name] }) => {
  const { clientId } = command.opts<{ clientId?: string }>();
  if ((name === undefined) === (clientId === undefined))
    throw new SyncError('usage', 'fleet resume needs a tenant or --client-id, one of the two.', {
      scope: 'usage',
      hint: 'placement-sync fleet status shows the pauses that stand.',
    });
  if (clientId !== undefined) return await endPauses(createSharedRates(database), clientId);
  if (!(await tenants.setPaused(name ?? '', false))) throw unknownTenant(name ?? '');
  say(`${name} runs again within half a minute. At once: placement-sync fleet sync ${name}`);
  return 0;
});

/** Says what a purge deletes and asks. Errors: SyncError `usage` for an unknown tenant, and where nobody can answer. */
async function isPurgeWanted(all: readonly TenantSummary[], name: string, yes: boolean): Promise<boolean> {
  const tenant = all.find((one) => one.name === name);
  if (!tenant) throw unknownTenant(name);
  say(
    `--purge deletes the ledger of ${name}, the schema "${tenant.schema}", if it is in the fleet’s database: what the platform accepted, the journal (the proof of reporting) and the applications of the inbox. Only a backup brings it back.`,
  );
  const asked = { what: 'fleet remove --purge', again: `placement-sync fleet remove ${name} --purge --yes` };
  return yes || isConfirmed(`Remove ${name} and delete its ledger?`, asked);
}

async function endPauses(rates: SharedRates, clientId: string): Promise<number> {
  const of = (await rates.pauses()).flatMap(({ credential }) => {
    const found = credentialOf(credential);
    return found?.clientId === clientId ? [{ credential, origin: found.origin }] : [];
  });
  for (const { credential, origin } of of) {
    await rates.endPause(credential);
    say(
      `The wait of the client id ${clientId} at ${origin} has ended. Its tenants send with their next runs.`,
    );
  }
  if (of.length === 0) say(`No platform has asked the client id ${clientId} to wait.`);
  return 0;
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
  if (applied.added.length > 0) say('New tenants run within their first period.');
}
