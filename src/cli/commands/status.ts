import type { LoadedConfig } from '../../core/config/load.js';
import { SyncError } from '../../core/domain/errors.js';
import type { Emit } from '../../core/domain/events.js';
import type { StateCounts } from '../../core/domain/reply/reply.js';
import { AREAS } from '../../core/domain/names.js';
import { outcomeText, runVerdict } from '../../core/domain/run-ending.js';
import { lagText } from '../../core/domain/source-sight.js';
import { grouped, plural } from '../../core/domain/text.js';
import { findTroubles } from '../../core/domain/trouble/find-troubles.js';
import { isUnreachable, type Trouble, TROUBLE_KINDS } from '../../core/domain/trouble/trouble.js';
import { shownGroup } from '../../core/domain/issue-group.js';
import { issueLine } from '../../core/entities/index.js';
import type { InboxCounts, Refusals } from '../../features/webhook/state/inbox.js';
import type { State } from '../../features/create-state.js';
import {
  type ExpiringRecord,
  type InvalidRecord,
  readExpiring,
  readGroups,
  readInvalid,
  readStatusFacts,
  statusReport,
  type StatusReport,
} from '../../features/look/read-status.js';
import { withWork } from '../../core/leases.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withState } from '../compose/open-state.js';
import { systemClock } from '../compose/package-info.js';
import { openBundleFile, readBundle } from '../compose/read-bundle.js';
import { localTime } from '../../core/contract/time.js';
import { printGroups } from '../output/print-groups.js';
import { printExpired, printForeign, printLeftOpen } from '../output/print-run.js';
import { printTroubles } from '../output/print-troubles.js';
import { countCell, table } from '../output/table.js';
import { moreText, say, writeJson, writeOut } from '../output/write.js';
import { watch } from '../watch.js';

interface StatusFlags {
  readonly json?: boolean;
  readonly invalid?: boolean;
  readonly bundle?: string;
  readonly watch?: boolean;
  readonly exitCode?: boolean;
}

export const statusCommand: Handler = async ({ command, signal }) => {
  const flags = command.opts<StatusFlags>();
  const { bundle, json = false, invalid = false, watch: watching = false } = flags;
  const { config, emit } = commandContext(command);
  if (bundle !== undefined) return writeBundle(config, emit, bundle);
  return withState(config, watching ? signal : undefined, async (state) => {
    const show = () => printNow(config, state, { json, invalid });
    const showOnly = async () => void (await show());
    if (watching) await watch(json ? showOnly : goingOn(showOnly, config), { signal, repaint: !json });
    else {
      const troubles = await show();
      const readOnly = await state.whyReadOnly();
      if (readOnly !== null) {
        emit({ type: 'command-failed', code: 'state-unavailable', ...readOnly });
        return 1;
      }
      if (flags.exitCode === true) return statusExitCode(troubles);
    }
    return 0;
  });
};

async function printNow(
  config: LoadedConfig,
  state: State,
  { json, invalid }: { readonly json: boolean; readonly invalid: boolean },
): Promise<readonly Trouble[]> {
  const entities = configuredEntities(config);
  const { notify, platform, webhook } = config.settings;
  const facts = await readStatusFacts(state, entities, notify.staleAfterMs, { reasons: !json });
  const report = await statusReport(facts, state);
  const troubles = findTroubles(facts);
  const receives = webhook.secrets.length > 0;
  const inbox = receives ? await state.inbox.counts() : null;
  const { timeZone } = platform;
  const expiringSoon = await readExpiring(state.recordViews, entities, systemClock.now(), timeZone);
  const groups = invalid ? await readGroups(state, facts.entities) : [];
  const records = invalid
    ? readInvalid(
        state.recordLists,
        entities.map(({ name }) => name),
      )
    : [];
  const adapters = AREAS.flatMap((area) => {
    const file = config.transport[area]?.adapter ?? null;
    return file === null ? [] : [[area, file] as const];
  });
  if (json) {
    const listed = [];
    for await (const page of records) listed.push(...page);
    // Without expiring records, and without the option, the public JSON shape stays as it is.
    writeJson({
      ...report,
      ...(adapters.length > 0 ? { adapters: Object.fromEntries(adapters) } : {}),
      ...(inbox === null ? {} : { inbox }),
      ...(expiringSoon.length > 0 ? { expiringSoon } : {}),
      ...(invalid ? { groups: groups.map(shownGroup), invalid: listed } : {}),
    });
    return troubles;
  }
  const refusals = receives ? await state.inbox.refusals(REFUSALS) : [];
  await printStatus(report, { troubles, inbox, refusals }, config.settings);
  for (const [area, file] of adapters) say(`${area}: an adapter decides where the platform differs: ${file}`);
  printExpiring(expiringSoon);
  printGroups(groups, { all: true });
  for await (const page of records) printInvalid(page);
  return troubles;
}

/** For people who watch: each frame with its time. After the first one, a database that is away is shown and asked again. */
function goingOn(show: () => Promise<void>, config: LoadedConfig): () => Promise<void> {
  const { timeZone } = config.settings.platform;
  let shown = false;
  return async () => {
    const now = localTime(new Date(systemClock.now()), timeZone);
    try {
      await show();
      shown = true;
    } catch (error) {
      if (!shown || !(error instanceof SyncError)) throw error;
      say(`${error.message} It is tried again.`);
    }
    say(`As of ${now}. Ctrl-C ends this.`);
  };
}

/** Gives the exit code: 0 also when a section could not be read, because then a bundle helps most. */
async function writeBundle(config: LoadedConfig, emit: Emit, file: string): Promise<number> {
  const write = openBundleFile(file);
  const { content, unread } = await withWork(emit, 'Collecting', () => readBundle(config));
  write(content);
  say(`${file}: secrets, payloads and e-mail addresses are left out. Read it before you pass it on.`);
  if (unread.length > 0) say(`Could not be read: ${unread.join(', ')}. The file says why.`);
  return 0;
}

/** Rows of refused webhooks that are printed. */
const REFUSALS = 3;

const COLUMNS = ['synced', 'pending', 'invalid', 'rejected', 'waiting', 'deferred', 'vanished'] as const;

const BAD_OUTCOMES: readonly string[] = ['failed', 'aborted', 'held'];

const STATE_WORDS: Readonly<Record<keyof StateCounts, string>> = {
  pending: 'not seen live yet',
  refused: 'refused later',
  removed: 'removed',
  other: 'shown with another status',
};

async function printStatus(
  { entities, lastRun, worker, learnedRates = [] }: StatusReport,
  read: {
    readonly troubles: readonly Trouble[];
    readonly inbox: InboxCounts | null;
    readonly refusals: readonly Refusals[];
  },
  settings: LoadedConfig['settings'],
): Promise<void> {
  const { troubles, inbox, refusals } = read;
  const { timeZone } = settings.platform;
  const time = (iso: string | null) => (iso === null ? null : localTime(new Date(iso), timeZone));
  const rows = Object.entries(entities).map(([name, status]) => [
    name,
    ...COLUMNS.map((column) => countCell(column, status[column])),
    status.held ? ({ text: 'HELD', colour: 'red' } as const) : '-',
    time(status.lastSuccessAt) ?? 'never',
    time(status.oldestPendingAt) ?? '-',
  ]);
  writeOut(table(['', ...COLUMNS, 'held', 'last success', 'oldest pending'], rows));
  for (const [name, { heldBack }] of Object.entries(entities)) {
    const { vanished } = heldBack ?? { vanished: 0 };
    if (vanished > 0)
      say(
        `${name}: ${plural(vanished, 'one record is', `${vanished} records are`)} no longer in the source. The hold keeps that from being applied, so the counts are as before.`,
      );
  }
  for (const [name, { atPlatform = {} }] of Object.entries(entities)) {
    const counted = Object.entries(atPlatform).map(
      ([state, count]) => `${count} ${STATE_WORDS[state as keyof typeof atPlatform]}`,
    );
    if (counted.length > 0) say(`${name}: of what the platform accepted, ${counted.join(', ')}.`);
  }
  printExpired(entities, '');
  printLeftOpen(
    Object.entries(entities).map(([name, { leftOpen = 0 }]) => ({ name, leftOpen })),
    '',
  );
  printForeign(entities, '');
  if (lastRun) {
    const { exitCode, message, startedAt } = lastRun;
    const code = exitCode === null || exitCode === 0 ? '' : `, exit code ${exitCode}`;
    const outcome = lastOutcome(lastRun, entities, troubles);
    const more = outcome.startsWith('done') ? '' : (message ?? '');
    say(
      `Last run: ${outcome}${code}, began ${time(startedAt)}. ${more}`.trimEnd(),
      BAD_OUTCOMES.includes(outcome) ? { part: outcome, colour: 'red' } : undefined,
    );
  } else say('No run yet.');
  for (const { holder, leases } of worker?.holders ?? [])
    say(`Working: ${holder} (${leases.join(', ')}).${await nextSweep(worker?.nextRunAt ?? null, settings)}`);
  // Where a worker should run, its absence is a trouble below.
  if (!worker && !troubles.some(({ kind }) => kind === 'standstill')) say('No process runs now.');
  printLag(entities);
  if (inbox !== null) say(inboxLine(inbox, time));
  printSilences(refusals, timeZone);
  printRates(learnedRates);
  printTroubles(troubles, timeZone);
}

function printSilences(refusals: readonly Refusals[], timeZone: string): void {
  for (const { count, since, lastAt, endedAt } of refusals)
    // Those that last are a trouble below.
    if (endedAt !== null) {
      const period = `from ${localTime(since, timeZone)} to ${localTime(lastAt, timeZone)}`;
      say(
        count === 0
          ? `Webhooks: no process listened ${period}.`
          : `Webhooks: ${grouped(count)} refused ${period}; accepted again since.`,
      );
    }
}

function printRates(learnedRates: NonNullable<StatusReport['learnedRates']>): void {
  for (const { area, learned, ratePerSecond, suggested } of learnedRates) {
    const setting = `platform.${area}.ratePerSecond`;
    const now = ratePerSecond === null ? `${setting} sets no limit` : `${setting} is ${ratePerSecond}`;
    say(`The platform takes fewer requests than configured: ${learned} a second are sent now; ${now}.`);
    if (suggested !== null) say(`  It takes about ${suggested} a second: set ${setting}: ${suggested}`);
  }
}

/** How the last run ended, for people. */
function lastOutcome(
  { outcome, exitCode, message }: NonNullable<StatusReport['lastRun']>,
  entities: StatusReport['entities'],
  troubles: readonly Trouble[],
): string {
  if (outcome === null) return message === null ? 'under way' : 'cut off';
  // A sweep of a worker ends well while nothing can be sent.
  const stop = troubles.find(({ kind }) => kind === 'area-stopped' || kind === 'auth-refused');
  if (stop && outcome === 'partial' && exitCode === 0)
    return `done, nothing sent: ${isUnreachable(stop) ? 'the platform is down' : 'sending is stopped'}`;
  const count = Object.values(entities).reduce((sum, { invalid, rejected }) => sum + invalid + rejected, 0);
  return outcomeText(outcome, exitCode, count);
}

/** ` The next sweep is due at 2026-11-28 19:33:12 WIB: 19:30 and 3 min 12 s, so that …`; empty: there is none. */
async function nextSweep(at: string | null, settings: LoadedConfig['settings']): Promise<string> {
  if (at === null) return '';
  const { offsetWithin } = await import('../../core/run/schedule.js');
  const [due, { timeZone }] = [new Date(at), settings.platform];
  const text = ` The next sweep is due at ${localTime(due, timeZone)}`;
  const offsetMs = offsetWithin(settings, due);
  if (offsetMs === 0) return `${text}.`;
  const [minutes, rest] = [Math.floor(offsetMs / 60_000), (offsetMs % 60_000) / 1_000];
  const offset = `${minutes === 0 ? '' : `${minutes} min `}${rest} s`;
  const time = localTime(new Date(due.getTime() - offsetMs), timeZone)
    .slice(11, 19)
    .replace(/:00$/, '');
  return `${text}: ${time} and ${offset}, so that not all partners begin at once.`;
}

/** Of several entities, the furthest behind. */
function printLag(entities: StatusReport['entities']): void {
  const lags = Object.values(entities).flatMap(({ sourceLag }) =>
    sourceLag === undefined ? [] : [sourceLag],
  );
  if (lags.length === 0) return;
  const known = lags.filter((lag) => lag !== null);
  const behind =
    known.length === 0 ? 'it does not say how far behind' : `${lagText(Math.max(...known) * 1_000)} behind`;
  say(`The source is a replica, ${behind} at the last sweep.`);
}

/** `Job applications by webhook: 12, 3 in the last day, the latest at …; 1 for an unknown vacancy.` */
function inboxLine(
  { total, lastDay, lastReceivedAt, withoutVacancy, unrecognised }: InboxCounts,
  time: (iso: string | null) => string | null,
): string {
  if (lastReceivedAt === null) return 'Job applications by webhook: none yet.';
  const counted = [
    `${grouped(total)}, ${grouped(lastDay)} in the last day, the latest at ${time(lastReceivedAt.toISOString())}`,
    ...(withoutVacancy > 0 ? [`${grouped(withoutVacancy)} for a vacancy that the ledger does not have`] : []),
    ...(unrecognised > 0 ? [`${grouped(unrecognised)} not recognised`] : []),
  ];
  return `Job applications by webhook: ${counted.join('; ')}.`;
}

/** As that of a run that ends with these troubles; 1 where it would be 0 and a person should look nevertheless. */
function statusExitCode(troubles: readonly Trouble[]): number {
  const { exitCode } = runVerdict(troubles, false);
  return exitCode === 0 && troubles.some(({ kind }) => !TROUBLE_KINDS[kind].passes) ? 1 : exitCode;
}

const NAMED = 10;

function printExpiring(records: readonly ExpiringRecord[]): void {
  if (records.length === 0) return;
  say('Expiring within 7 days while still open in the source:');
  for (const { entity, key, lastDay } of records.slice(0, NAMED)) say(`  ${entity} ${key}: ${lastDay}`);
  if (records.length > NAMED) say(`  ${moreText(records.length - NAMED)}; --json lists them.`);
}

function printInvalid(records: readonly InvalidRecord[]): void {
  for (const { entity, key, issues } of records) {
    const what = issues.map((issue) => issueLine(entity, issue)).join('; ');
    say(`  ! invalid  ${entity} ${key}: ${what}`, { part: '!', colour: 'red' });
  }
}
