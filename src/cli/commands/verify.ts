import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import { DEFAULT_SAMPLE } from '../../sync/read-back/default-sample.js';
import { verifyRecords } from '../../sync/read-back/verify-records.js';
import type { VerifyReport } from '../../sync/read-back/verify-report.js';
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
  readonly json?: boolean;
}

/** Reads records back from the platform and compares them with what was sent. */
export const verifyCommand: Handler = async ({ command, signal }) => {
  const { entity, sample, all = false, repair = false, json = false } = command.opts<VerifyFlags>();
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
  const options = {
    sample: all ? null : (sample ?? DEFAULT_SAMPLE),
    repair,
    isReadable: findEnabled(config),
  };
  try {
    return await withSession(config, { emit, signal, entities }, async (context) => {
      const { report, exitCode } = await verifyRecords(context, options);
      if (json) writeJson(report);
      else printVerify(report, { repaired: repair && exitCode === 0, stopped: signal.aborted });
      return exitCode;
    });
  } catch (error) {
    const usage = error instanceof SyncError && ERROR_CODES[error.code] === ERROR_CODES.usage;
    if (json && !usage) writeJson({ entities: {}, drift: [] } satisfies VerifyReport);
    throw error;
  }
};
