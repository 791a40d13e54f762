import { FIRST_CONTACT_AREA } from '../../entities/index.js';
import { probeEnvironment, readCoverage } from '../../sync/probe/run-probe.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../command-action.js';
import { configuredOperations } from '../compose/configured-operations.js';
import { openState } from '../compose/open-state.js';
import { runSettings } from '../compose/run-settings.js';
import { printCoverage } from '../output/print-coverage.js';
import { writeJson } from '../output/write.js';

/** What is assumed of the platform, and what was observed of this one. */
export const coverageCommand: Handler = async ({ command, signal }) => {
  const { json = false } = command.opts<{ json?: boolean }>();
  const { config } = commandContext(command);
  const environment = probeEnvironment(runSettings(config), FIRST_CONTACT_AREA);
  const state = await openState(config, { signal });
  try {
    const checks = await readCoverage(state, environment);
    if (json) writeJson({ checks });
    else {
      printCoverage(checks, {
        environment,
        operations: Object.values(configuredOperations(config.settings)),
        timeZone: config.settings.platform.timeZone,
      });
    }
    return 0;
  } finally {
    await state.close();
  }
};
