import { SyncError } from '../../domain/errors.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../command-action.js';
import { examine } from '../compose/examine.js';
import { doctorExitCode, doctorJson, printDoctor } from '../output/print-doctor.js';
import { writeJson } from '../output/write.js';

interface DoctorFlags {
  readonly entity: readonly string[];
  readonly json?: boolean;
}

/** What has to be fixed or decided before the first run; writes nothing. */
export const doctorCommand: Handler = async ({ command, signal }) => {
  const { entity, json = false } = command.opts<DoctorFlags>();
  try {
    const { config, emit } = commandContext(command, { withoutCredentials: true });
    const findings = await examine(config, { entity, emit, signal });
    if (json) writeJson(doctorJson(findings));
    else printDoctor(findings);
    return doctorExitCode(findings);
  } catch (error) {
    if (json && error instanceof SyncError && error.code === 'config-invalid') {
      const { message, hint = null } = error;
      writeJson(
        doctorJson([
          { id: 'configuration', level: 'fail', entity: null, message, hint, count: null, sample: [] },
        ]),
      );
    }
    throw error;
  }
};
