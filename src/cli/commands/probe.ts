import type { LoadedConfig } from '../../core/config/load.js';
import { localTime } from '../../core/contract/time.js';
import { groupBy } from '../../core/domain/group-by.js';
import { issueText } from '../../core/domain/issue.js';
import { adapterToBegin } from '../../features/probe/adapter-to-begin.js';
import type { CheckedAssumption, CheckResult } from '../../features/probe/checks.js';
import { FIRST_CONTACT_AREA, firstContact } from '../../core/entities/index.js';
import { shellWord } from '../../core/domain/text.js';
import { refuseOtherEnvironment } from '../../core/run/environment.js';
import { exitOutcome } from '../../features/actions/operator-actions.js';
import { MOST_REQUESTS, type ProbeSubject, type ProbeSubjects } from '../../features/probe/probe-platform.js';
import {
  probeEnvironment,
  type ProbeOptions,
  type ProbeResult,
  readObserved,
  readSubjects,
  runProbe,
  withoutRequests,
} from '../../features/probe/run-probe.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/open-doctor.js';
import { withRunContext } from '../compose/open-run.js';
import { runSettings, withState } from '../compose/open-state.js';
import { io, isConfirmed } from '../io.js';
import { noted, reasonFor } from '../operator.js';
import { holderText } from '../output/print-run.js';
import { type Colour, say, widthOf, wrapText, writeError, writeJson } from '../output/write.js';

interface ProbeFlags {
  readonly company?: string;
  readonly vacancy?: string;
  readonly last?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** First contact with the platform, after it has said what it will send; or what the last one saw. */
export const probeCommand: Handler = async (call) => {
  const { command, signal } = call;
  const { company, vacancy, last = false, yes = false, json = false } = command.opts<ProbeFlags>();
  if (last) return showLast(call, json);
  // As commander says it of an option that is always required.
  if (company === undefined) return command.error("error: required option '--company <key>' not specified");
  const { config, emit } = commandContext(command);
  const options = probeOptions(config, { company, vacancy });
  const reason = reasonFor(command, 'probe', config.settings.guards);
  const print = (result: ProbeResult): number => {
    if (json) writeJson({ checks: result.checks });
    else printProbe(result, signal.aborted);
    return result.exitCode;
  };
  return withRunContext(config, { emit, signal }, async (context) => {
    await refuseOtherEnvironment(context);
    const subjects = await readSubjects(context, options.named);
    if ('issues' in subjects) {
      const { entity, key, issues } = subjects;
      const lines = issues.map((issue) => `  ${issueText(issue)}`);
      writeError([`${entity.noun.one} "${key}" is not valid, so nothing was sent:`, ...lines].join('\n'));
      if (json) print(withoutRequests(options, `the ${entity.noun.one} is not valid`, INVALID));
      return INVALID;
    }
    const announce = announcement(subjects, probeEnvironment(context.settings, subjects.parent.entity.area));
    (json ? writeError : say)(announce);
    const again = `placement-sync probe --company ${shellWord(company)}${vacancy === undefined ? '' : ` --vacancy ${shellWord(vacancy)}`} --yes`;
    if (!yes && !(await isConfirmed('Continue?', { what: 'probe', again }))) {
      writeError('Nothing was sent.');
      return 1;
    }
    const keys = [company, ...(vacancy === undefined ? [] : [vacancy])];
    const result = await noted(context, { action: 'probe', entity: null, keys, reason }, async () => {
      const probed = await runProbe(context, options);
      return { result: probed, outcome: exitOutcome(probed.exitCode) };
    });
    if (result.heldBy !== null && !json) {
      say(holderText({ ...result.heldBy, lease: result.heldBy.name, own: false }));
      return result.exitCode;
    }
    return print(result);
  });
};

const INVALID = 3;

function announcement({ parent, child }: ProbeSubjects, environment: string): string {
  const named = ({ entity, key, payload }: ProbeSubject) => {
    const label = entity.label === null ? undefined : payload[entity.label];
    return `${entity.noun.one} "${key}"${typeof label === 'string' ? ` (${label})` : ''}`;
  };
  return [
    `probe writes to ${environment}:`,
    `  ${named(parent)}: two Puts`,
    ...(child === null
      ? []
      : [`  ${named(child)}: one Put, up to five where the platform does not know the parent yet`]),
    `At most ${MOST_REQUESTS} requests. No other record is touched.`,
  ].join('\n');
}

/**
 * What a first contact needs of the configuration. `vacancy` undefined: none is sent. Errors: SyncError `usage` when
 * the entity of a named record is not configured.
 */
function probeOptions(
  config: LoadedConfig,
  { company, vacancy }: { readonly company: string; readonly vacancy: string | undefined },
): ProbeOptions {
  const kinds = firstContact();
  const of = ({ name }: { readonly name: string }) => {
    const [found] = configuredEntities(config, [name]);
    if (found === undefined) throw new TypeError(`${name} is not configured`);
    return found;
  };
  const parent = { entity: of(kinds.parent), key: company };
  const child = vacancy === undefined ? null : { entity: of(kinds.child), key: vacancy };
  return { named: { parent, child }, isReadable: findEnabled(config), secrets: config.secrets() };
}

/** What this platform was last observed to do. */
async function showLast({ command, signal }: Parameters<Handler>[0], json: boolean): Promise<number> {
  const { config } = commandContext(command);
  const environment = probeEnvironment(runSettings(config), FIRST_CONTACT_AREA);
  const checks = await withState(config, signal, (state) => readObserved(state, environment));
  if (json) {
    writeJson({ checks });
    return 0;
  }
  say(`Observed of ${environment}:\n`);
  for (const { observedAt, ...check } of checks)
    printCheck(check, observedAt && localTime(observedAt, config.settings.platform.timeZone));
  return 0;
}

function printProbe({ checks, exitCode }: ProbeResult, stopped: boolean): void {
  for (const alike of byReason(checks)) {
    const [check] = alike;
    if (check !== undefined && alike.length === 1) printCheck(check);
    else if (check !== undefined) print(check.result, alike.map(({ id }) => id).join(', '), [check.seen]);
  }
  const count = (result: CheckResult) => checks.filter((check) => check.result === result).length;
  say(`\n${count('confirmed')} confirmed, ${count('differs')} different, ${count('unknown')} unknown.`);
  if (stopped) say('Stopped by a signal.');
  if (exitCode === 5) {
    const away = checks.some(({ id, result }) => id === 'reachable' && result === 'differs');
    say(
      away
        ? 'The platform cannot be reached. Check the settings named above. If they are right, try again later.'
        : 'The platform did not answer all requests. Nothing is lost. Try again later.',
    );
  } else if (count('differs') > 0) {
    say(
      'Change the setting below each difference, or write the adapter (docs/adapter.md). Then probe again, before the first run.',
    );
  }
}

const COLOURS: Readonly<Record<CheckResult, Colour>> = {
  confirmed: 'green',
  differs: 'red',
  unknown: 'yellow',
};

/** `when`: at which time it was seen, if that is not now. */
function printCheck(check: CheckedAssumption, when: string | null = null): void {
  const { id, assumption, result, seen, setting } = check;
  const adapter = adapterToBegin(check);
  print(result, `${id}: ${assumption}`, [
    `${seen}${when === null ? '' : ` (${when})`}`,
    ...(result === 'differs' ? [`setting: ${setting}`] : []),
    ...(result === 'differs' && adapter !== null
      ? [
          'to begin with, in the file that platform.adapter names:',
          ...adapter.split('\n').map((line) => `  ${line}`),
        ]
      : []),
  ]);
}

const INDENT = 11;

function print(result: CheckResult, head: string, details: readonly string[]): void {
  const first = `${result.padEnd(INDENT)}${head}`;
  const rest = details.map((line) => `${' '.repeat(INDENT + 2)}${line}`);
  // Aligned below the text, not below the result.
  const text = [wrapText(first, widthOf(io().stdout), INDENT), ...rest].join('\n');
  say(text, { part: result, colour: COLOURS[result] });
}

/** The checks, in order; those that are unknown for the same reason together, where the first of them stands. */
function byReason(checks: readonly CheckedAssumption[]): readonly (readonly CheckedAssumption[])[] {
  return [...groupBy(checks, ({ id, result, seen }) => (result === 'unknown' ? seen : id)).values()];
}
