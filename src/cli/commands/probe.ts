import type { LoadedConfig } from '../../config/load.js';
import { areaSettings, dialectOf } from '../../config/schema.js';
import { issueText } from '../../domain/issue.js';
import { FIRST_CONTACT_AREA, firstContact } from '../../entities/index.js';
import { shellWord } from '../../runtime/files.js';
import { refuseOtherEnvironment } from '../../sync/environment.js';
import { exitOutcome } from '../../sync/operator-actions.js';
import { MOST_REQUESTS, type ProbeSubject, type ProbeSubjects } from '../../sync/probe/probe-platform.js';
import {
  probeEnvironment,
  type ProbeOptions,
  type ProbeResult,
  readSubjects,
  runProbe,
  withoutRequests,
} from '../../sync/probe/run-probe.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/open-doctor.js';
import { configuredOperations } from '../compose/open-platforms.js';
import { withRunContext } from '../compose/open-run.js';
import { isConfirmed } from '../io.js';
import { noted, reasonFor } from '../operator.js';
import { holderText } from '../output/print-run.js';
import { say, writeError, writeJson } from '../output/write.js';
import { coverageCommand, printProbe } from './coverage.js';

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
  if (last) return coverageCommand(call);
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
    `  ${named(parent)}: up to five Puts. One leaves out an optional field; the next one has it again.`,
    ...(child === null ? [] : [`  ${named(child)}: one Put`]),
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
  const { settings } = config;
  const kinds = firstContact();
  const of = ({ name }: { readonly name: string }) => {
    const [found] = configuredEntities(config, [name]);
    if (found === undefined) throw new TypeError(`${name} is not configured`);
    return found;
  };
  const parent = { entity: of(kinds.parent), key: company };
  const child = vacancy === undefined ? null : { entity: of(kinds.child), key: vacancy };

  const { replies } = dialectOf(settings.platform, FIRST_CONTACT_AREA);
  const operations = configuredOperations(settings);
  const accepted = (operation: string) => operations[operation]?.accepted ?? replies.accepted;
  const area = settings.platform[FIRST_CONTACT_AREA];
  return {
    named: { parent, child },
    rules: {
      encrypted: area?.baseUrl.startsWith('https:') ?? false,
      accepted: { parent: accepted(kinds.parent.put), child: accepted(kinds.child.put) },
      empty: operations[kinds.parent.put]?.accepted ?? [],
      reference: replies.reference,
      judge: replies.judge,
      ratePerSecond: area?.ratePerSecond ?? null,
      own: areaSettings(settings.platform, FIRST_CONTACT_AREA)?.own,
    },
    isReadable: findEnabled(config),
    secrets: config.secrets(),
  };
}
