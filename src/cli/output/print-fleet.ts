import { groupBy } from '../../core/domain/group-by.js';
import { counted, grouped, plural, shellWord } from '../../core/domain/text.js';
import { PLAIN_WORDS } from '../../features/troubles/describe-trouble.js';
import {
  type FleetReport,
  fleetStanding,
  TENANT_STATES,
  type TenantReport,
  tenantsByName,
  type TenantState,
} from '../../features/fleet/fleet-report.js';
import type { PurgedTenant } from '../../features/fleet/state/purge-tenant.js';
import { timeGone } from './log.js';
import { localTime, withLocalTimes } from '../../core/contract/time.js';
import { FLEET_TIME_ZONE } from './local-time.js';
import { type Cell, table } from './table.js';
import { type Colour, moreText, say, writeJson, writeOut } from './write.js';

const SHOWN = 20;

/**
 * The state of the fleet, for people: the verdict, the worst tenants with their reasons, jobs and replicas. `timeZone`:
 * default that of the fleet.
 */
export function printFleetStatus(report: FleetReport, timeZone = FLEET_TIME_ZONE): void {
  const { tenants } = report;
  sayVerdict(report);
  if (tenants.length > 0) {
    const worst = tenants.slice(0, SHOWN);
    const isSized = worst.some(({ ledgerBytes }) => ledgerBytes !== null);
    const rows = worst.map((tenant) => [
      tenant.name,
      stateCell(tenant.state),
      tenant.lane,
      ...progressCells(tenant, timeZone),
      ...(isSized ? [sizeText(tenant)] : []),
    ]);
    const size = isSized ? ['ledger'] : [];
    writeOut(`\n${table(['', 'state', 'lane', 'last success', 'pending', ...size], rows)}`);
    const left = tenants.length - worst.length;
    if (left > 0) say(`${moreText(left, 'tenant')}: placement-sync fleet list`);
    const reasons = worst.filter(
      ({ state, waitsFor }) => waitsFor !== null || ['failing', 'stale', 'needs-correction'].includes(state),
    );
    if (reasons.length > 0) say('');
    for (const { name, reason } of reasons)
      if (reason !== null) say(`${name}: ${withLocalTimes(reason, timeZone)}`);
  }
  say('');
  for (const { origin, clientId, until } of report.pauses)
    say(
      withLocalTimes(
        `Pause: ${origin} asked the client id ${clientId} to wait. Nothing is sent with it until ${until}; then one tenant asks again. To end it now: placement-sync fleet resume --client-id ${shellWord(clientId)}`,
        timeZone,
      ),
    );
  const ledgers = ledgersText(report);
  if (ledgers !== null) say(ledgers);
  say(jobsText(report));
  say(replicasText(report));
}

function sayVerdict(report: FleetReport): void {
  const { counts, pending, tenants } = report;
  const { standing, needing } = fleetStanding(report);
  if (standing === 'empty') return say('No tenants yet. Add them: placement-sync fleet apply DIR');
  const all = counted(tenants.length, 'tenant');
  const listed = TENANT_STATES.filter((state) => counts[state] > 0)
    .map((state) => `${grouped(counts[state])} ${state}`)
    .join(', ');
  const isKnown = tenants.every((tenant) => tenant.pending !== null);
  const nothing = isKnown ? ' Nothing is left to send.' : '';
  const left = pending === 0 ? nothing : ` ${counted(pending, 'record')} left to send.`;
  const verdict =
    standing === 'fine'
      ? 'No tenant needs attention'
      : `${grouped(needing)} of ${all} ${plural(needing, 'needs', 'need')} attention`;
  say(
    `${verdict}: ${listed}.${left}`,
    standing === 'fine'
      ? undefined
      : { part: verdict, colour: standing === 'needs-correction' ? 'yellow' : 'red' },
  );
}

/** Null: all ledgers are in one database. */
function ledgersText({ tenants }: FleetReport): string | null {
  const places = [...groupBy(tenants, placeText)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (places.length < 2) return null;
  const listed = places.map(([place, its]) => `${place} (${counted(its.length, 'tenant')})`).join(', ');
  return `Ledgers: ${listed}.`;
}

function placeText({ ledger }: Pick<TenantReport, 'ledger'>): string {
  return ledger ?? 'state.url';
}

function jobsText({ jobs }: FleetReport): string {
  if (jobs === null)
    return 'Jobs: not known, because the tables of the queue cannot be read. A replica creates them when it starts: placement-sync fleet start';
  const { sync, large } = jobs;
  const lane = (name: string, { ready, active, longestWait }: typeof sync) =>
    `in lane ${name} ${grouped(ready)} wait and ${grouped(active)} run${longestWait === 0 ? '' : ` (longest wait for a slot: ${timeGone(longestWait)})`}`;
  return `Jobs: ${lane('sync', sync)}, ${lane('large', large)}.`;
}

function replicasText({ replicas }: FleetReport): string {
  if (replicas.length === 0) return 'No replica runs a tenant at this moment.';
  const listed = replicas.map(({ name, tenants }) => `${name} (${counted(tenants, 'tenant')})`).join(', ');
  return `Replicas at work: ${listed}.`;
}

/** Every tenant, in the order of the names; as JSON `{ "tenants": [ … ] }`. `timeZone`: default that of the fleet. */
export function printFleetList(
  { tenants }: Pick<FleetReport, 'tenants'>,
  { json = false, timeZone = FLEET_TIME_ZONE }: { readonly json?: boolean; readonly timeZone?: string } = {},
): void {
  if (json) return writeJson({ tenants: tenantsByName(tenants) });
  if (tenants.length === 0) return say('No tenants yet. Add one: placement-sync fleet add TENANT.yaml');
  const isSpread = new Set(tenants.map(placeText)).size > 1;
  const rows = tenantsByName(tenants).map((tenant) => [
    tenant.name,
    stateCell(tenant.state),
    PLAIN_WORDS.span(tenant.periodMs),
    tenant.lane,
    ...progressCells(tenant, timeZone),
    tenant.schema,
    ...(isSpread ? [placeText(tenant)] : []),
  ]);
  const ledger = isSpread ? ['ledger'] : [];
  writeOut(table(['', 'state', 'period', 'lane', 'last success', 'pending', 'schema', ...ledger], rows));
}

const COLOURS: Readonly<Partial<Record<TenantState, Colour>>> = {
  failing: 'red',
  stale: 'red',
  'needs-correction': 'yellow',
};

function stateCell(state: TenantState): Cell {
  return { text: state, colour: COLOURS[state] ?? null };
}

function progressCells(
  { lastSuccessAt, pending }: TenantReport,
  timeZone: string,
): readonly [lastSuccess: Cell, pending: Cell] {
  return [lastSuccessAt === null ? 'never' : localTime(new Date(lastSuccessAt), timeZone), pending ?? '-'];
}

function sizeText({ ledgerBytes }: TenantReport): string {
  return ledgerBytes === null ? '-' : `${grouped(Math.ceil(ledgerBytes / 1_000_000))} MB`;
}

/** Where a ledger is after `fleet move`. */
export function movedText(
  tenant: string,
  {
    ledger,
    rows,
    kept,
  }: { readonly ledger: string; readonly rows: number | null; readonly kept: string | null },
): string {
  if (rows === null) return `The ledger of ${tenant} is in ${ledger}. Nothing was copied.`;
  const now = `The ledger of ${tenant} is in ${ledger} now: ${counted(rows, 'row')}, compared by count and checksum. It runs from there.`;
  return kept === null
    ? `${now} The old one is deleted.`
    : `${now} The old one stays, and no run can use it. ${kept} Drop its schema when nothing needs it.`;
}

/** What `fleet remove --purge` did: whether the ledger is deleted, or else where it stays, why, and what to do. */
export function purgedText(name: string, { schema, ledger, other }: PurgedTenant): string {
  switch (ledger) {
    case 'deleted':
      return `${name} is removed, and its ledger is deleted.`;
    case 'none':
      return `${name} is removed. No ledger was deleted: the schema "${schema}" has none.`;
    case 'of-another':
      return `${name} is removed. Its ledger stays, the schema "${schema}" of the fleet’s database: the tenant "${other ?? ''}" has this schema too. If the ledger of ${other ?? ''} is in another database, drop the schema yourself.`;
    case 'elsewhere':
      return (
        `${name} is removed. Its ledger stays, the schema "${schema}" in the database of its state.url: only a ledger of a file without state.url is deleted. ` +
        (other === null
          ? 'If nobody needs it, drop the schema there.'
          : `Before you drop the schema there, check that it is not the ledger of the tenant "${other}", which has this schema too.`)
      );
  }
}
