import { explainRecord } from '../../features/look/explain-record.js';
import { unsentChanges } from '../../features/look/read-status.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withRunContext } from '../compose/open-run.js';
import { printExplanation } from '../output/print-explanation.js';
import { writeJson } from '../output/write.js';
import type { Handler } from '../common-options.js';

export const explainCommand: Handler = async ({ command, signal, arguments: [entity = '', key = ''] }) => {
  const { config, emit } = commandContext(command);
  const [configured] = configuredEntities(config, [entity]);
  return withRunContext(config, { emit, signal }, async (context) => {
    if (!configured) return 2;
    const explanation = await explainRecord(context, configured, key);
    if (command.opts<{ json?: boolean }>().json) writeJson(explanation);
    else
      printExplanation(
        explanation,
        await unsentChanges(context.state, configured.name, explanation.key),
        config.settings.platform.timeZone,
      );
    return 0;
  });
};
