import { closest } from '../../domain/closest.js';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import type { Entity } from '../../entities/entity.js';
import { DEFAULT_SAMPLE } from '../../sync/read-back/default-sample.js';
import { verifyRecords } from '../../sync/read-back/verify-records.js';
import type { VerifyReport } from '../../sync/read-back/verify-entity.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/find-enabled.js';
import { withSession } from '../compose/session.js';
import { printVerify } from '../output/print-verify.js';
import { writeJson } from '../output/write.js';
import type { Handler } from '../command-action.js';

interface VerifyFlags {
  readonly entity: string[];
  readonly sample?: number;
  readonly all?: boolean;
  readonly repair?: boolean;
  readonly field?: readonly string[];
  readonly json?: boolean;
}

/** Reads records back from the platform and compares them with what was sent. */
export const verifyCommand: Handler = async ({ command, signal }) => {
  const {
    entity,
    sample,
    all = false,
    repair = false,
    field = [],
    json = false,
  } = command.opts<VerifyFlags>();
  if (sample !== undefined && (all || sample === 0)) {
    throw new SyncError(
      'usage',
      all ? '--sample cannot be combined with --all.' : '--sample must be at least 1.',
      {
        scope: 'usage',
        hint: 'For instance: placement-sync verify --sample 50',
      },
    );
  }
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  checkFields(field, repair, entities);
  const options = {
    sample: all ? null : (sample ?? DEFAULT_SAMPLE),
    repair,
    fields: field,
    isReadable: findEnabled(config),
  };
  try {
    return await withSession(config, { emit, signal, entities }, async (context) => {
      const { report, exitCode, of, pathDoubts } = await verifyRecords(context, options);
      if (json) writeJson(report);
      else {
        const repaired = repair ? exitCode === 0 : null;
        printVerify(report, { repaired, stopped: signal.aborted, sampled: !all, of, pathDoubts });
      }
      return exitCode;
    });
  } catch (error) {
    const usage = error instanceof SyncError && ERROR_CODES[error.code] === ERROR_CODES.usage;
    if (json && !usage) writeJson({ entities: {}, drift: [] } satisfies VerifyReport);
    throw error;
  }
};

/** Errors: SyncError `usage`. */
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
    throw new SyncError('usage', `--field ${unknown}: no field that is read back has this name.`, {
      scope: 'usage',
      hint: close === null ? `Fields that are read back: ${known.join(', ')}.` : `Did you mean ${close}?`,
    });
  }
  if (fields.length === 0 || repair) return;
  throw new SyncError('usage', '--field needs --repair.', {
    scope: 'usage',
    hint: 'For instance: placement-sync verify --repair --field region.id',
  });
}
