import type { AppContext } from '../../features/create-state.js';
import { closest } from '../../core/domain/closest.js';
import { ERROR_CODES, SyncError, usageError } from '../../core/domain/errors.js';
import { groupBy } from '../../core/domain/group-by.js';
import { uuidText } from '../../core/domain/key.js';
import type { RecordStatus } from '../../core/domain/names.js';
import { stateText } from '../../core/domain/reply/reply.js';
import { plural, shellWord } from '../../core/domain/text.js';
import type { Entity } from '../../core/entities/entity.js';
import { DEFAULT_SAMPLE } from '../../core/domain/outcome.js';
import { exitOutcome } from '../../features/actions/operator-actions.js';
import { verifyRecords, type VerifyResult } from '../../features/verify/verify-records.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/open-doctor.js';
import { withRunContext } from '../compose/open-run.js';
import { noted, onlyEntity, reasonFor, summed } from '../operator.js';
import { table } from '../output/table.js';
import { moreText, say, writeJson, writeOut } from '../output/write.js';

interface VerifyFlags {
  readonly entity: string[];
  readonly sample?: number;
  readonly all?: boolean;
  readonly key?: readonly string[];
  readonly repair?: boolean;
  readonly field?: readonly string[];
  readonly json?: boolean;
}

export const verifyCommand: Handler = async ({ command, signal }) => {
  const { entity, sample, field = [], key, ...flags } = command.opts<VerifyFlags>();
  const { all = false, repair = false, json = false } = flags;
  if (sample !== undefined && (all || sample === 0)) {
    throw usageError(
      all ? '--sample cannot be combined with --all.' : '--sample must be at least 1.',
      'For instance: placement-sync verify --sample 50',
    );
  }
  if (key !== undefined && (entity.length !== 1 || all || sample !== undefined)) {
    throw usageError(
      entity.length === 1
        ? '--key names the records, so it cannot be combined with --all or --sample.'
        : '--key requires exactly one --entity.',
      'For instance: placement-sync verify --entity vacancies --key 4711',
    );
  }
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  checkFields(field, repair, entities);
  const action = field.length > 0 ? 'verify --repair --field' : 'verify --repair';
  const reason = repair ? reasonFor(command, action, config.settings.guards) : null;
  const options = {
    sample: all || key !== undefined ? null : (sample ?? DEFAULT_SAMPLE),
    ...(key === undefined ? {} : { keys: key }),
    repair,
    fields: field,
    isReadable: findEnabled(config),
  };
  try {
    return await withRunContext(config, { emit, signal, entities }, async (context) => {
      const asked = { action, entity: onlyEntity(entities), reason } as const;
      if (key !== undefined) await refuseUnsettled(context, key);
      const verify = () => verifyRecords(context, options);
      const { report, exitCode, ...found } = await (repair
        ? noted(context, asked, async () => {
            const result = await verify();
            const counts = summed(Object.values(result.report.entities));
            return { result, outcome: exitOutcome(result.exitCode), counts };
          })
        : verify());
      if (json) writeJson(report);
      else {
        const repaired = repair ? exitCode === 0 : null;
        printVerify(
          report,
          { repaired, stopped: signal.aborted, sampled: !all && key === undefined, key },
          found,
        );
      }
      return exitCode;
    });
  } catch (error) {
    const usage = error instanceof SyncError && ERROR_CODES[error.code] === ERROR_CODES.usage;
    if (json && !usage) writeJson({ entities: {}, drift: [] } satisfies VerifyResult['report']);
    throw error;
  }
};

/** Why a record of this status is not compared. */
const NOT_COMPARED: Partial<Record<RecordStatus, string>> = {
  vanished: ': nothing of it is desired any more',
  synced: ', but a request is under way or has still to be confirmed',
};

/** Only what the platform has accepted can be compared. Errors: SyncError `usage` for another record. */
async function refuseUnsettled(
  { state, entities: [entity] }: Pick<AppContext, 'state' | 'entities'>,
  keys: readonly string[],
): Promise<void> {
  if (entity === undefined) return;
  if (entity.readBack === null)
    throw usageError(`${entity.name} cannot be read back: the platform has no Find for them.`);
  const settled = await state.readBacks.named(entity.name, keys);
  const missing = keys.find(
    (key) => !settled.some((one) => one.key === key || one.platformId === uuidText(key)),
  );
  if (missing === undefined) return;
  const view = await state.recordViews.find(entity.name, missing);
  throw usageError(
    view === null
      ? `The ledger has no record of ${entity.name} with the key "${missing}".`
      : `${entity.name} "${missing}" is ${view.status}${NOT_COMPARED[view.status] ?? ': the platform has not accepted what is desired'}, so there is nothing to compare.`,
    `Why: placement-sync explain ${entity.name} ${shellWord(missing)}`,
  );
}

function checkFields(
  fields: readonly string[],
  repair: boolean,
  entities: readonly Pick<Entity, 'readBack'>[],
): void {
  const known = [
    ...new Set(entities.flatMap(({ readBack }) => readBack?.fields.map(({ sent }) => sent) ?? [])),
  ];
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const close = closest(unknown, known);
    throw usageError(
      `--field ${unknown}: no field that is read back has this name.`,
      close === null ? `Fields that are read back: ${known.join(', ')}.` : `Did you mean ${close}?`,
    );
  }
  if (fields.length === 0 || repair) return;
  throw usageError(
    '--field needs --repair.',
    'For instance: placement-sync verify --repair --field region.id',
  );
}

const COLUMNS = ['checked', 'same', 'drifted', 'missing'] as const;

const LISTED = 20;

const VALUE_LENGTH = 60;

/** What differs at the platform, for people. `repaired`: nothing is left of it; null: no repair was asked for. */
function printVerify(
  report: VerifyResult['report'],
  how: {
    readonly repaired: boolean | null;
    readonly stopped: boolean;
    readonly sampled: boolean;
    readonly key: readonly string[] | undefined;
  },
  { of, pathDoubts, notes }: Pick<VerifyResult, 'of' | 'pathDoubts' | 'notes'>,
): void {
  const { repaired, stopped, sampled, key } = how;
  const counted = Object.entries(report.entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      counted.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]),
    ),
  );
  const why = sampled ? 'chosen at random' : 'the others changed meanwhile, or got no usable answer';
  const partly = counted.filter(([name, { checked }]) => checked < (of[name] ?? 0)).map(([name]) => name);
  if (!stopped)
    for (const name of partly)
      say(`${name}: checked ${report.entities[name]?.checked ?? 0} of ${of[name] ?? 0} records, ${why}.`);
  const { drift } = report;
  for (const { entity, key, field, sent, held } of drift.slice(0, LISTED))
    say(`  ${entity} ${key} ${field}: sent ${shown(sent)}, the platform has ${shown(held)}`);
  if (drift.length > LISTED) say(`  ${moreText(drift.length - LISTED)}; --json lists them.`);
  for (const line of notCompared(report)) say(line);
  for (const { message, hint } of [...notes, ...pathDoubts]) say(`${message}\n  ${hint}`);
  if (stopped) say('Stopped by a signal. The other records were not read back, and nothing was sent again.');
  for (const { entity, state, word, records, sampleKeys } of report.states ?? [])
    if (state === 'pending')
      say(
        `${entity}: the platform ${stateText({ state, word })}: ${records} ${plural(records, 'record', 'records')} (${sampleKeys.join(', ')}).`,
      );
  const wrong = counted.filter(([, { drifted, missing }]) => drifted + missing > 0).map(([name]) => name);
  if (wrong.length === 0) return;
  // Of a doubted path the note above says what to do; --repair would refuse.
  const repairable = wrong.filter((name) => !pathDoubts.some(({ entity }) => entity === name));
  const which = key === undefined ? '--all' : key.map((one) => `--key ${shellWord(one)}`).join(' ');
  const command = `placement-sync verify ${which} --repair${repairable.map((name) => ` --entity ${name}`).join('')}`;
  const left = repairable.some((name) => partly.includes(name));
  if (repaired === null) {
    if (repairable.length > 0)
      say(`To send ${left ? 'these records, and others like them,' : 'these records'} again: ${command}`);
  } else if (repaired) {
    say('The records found to differ or to be missing were sent again, or are marked for it.');
    if (left) say(`The others were not looked at. To look at all of them: ${command}`);
  } else if (!stopped)
    say(
      'Some of these records still differ or are missing. They were not sent again, or the platform kept what it had.',
    );
}

function notCompared({ notCompared: fields = [] }: VerifyResult['report']): readonly string[] {
  return [...groupBy(fields, ({ entity }) => entity)].map(([name, ofEntity]) => {
    const counted = ofEntity.map(
      ({ field, records }) => `${field} (${records} ${plural(records, 'record', 'records')})`,
    );
    return `${name}: not compared, because the platform does not show it: ${counted.join(', ')}.`;
  });
}

/** Null stands for what is absent, too. */
function shown(value: unknown): string {
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1)}…` : text;
}
