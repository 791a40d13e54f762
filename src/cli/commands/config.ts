import { configJsonSchema } from '../../config/json-schema.js';
import { checkSchedule } from '../../service/check-schedule.js';
import { commandContext } from '../command-context.js';
import { writeOut } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** Checks the configuration. */
export const configCheck: Handler = ({ command }) => {
  const { config } = commandContext(command);
  checkSchedule(config.settings.schedule);
  writeOut(`${config.file}: no problems. Entities: ${[...config.entities.keys()].join(', ')}.`);
  return 0;
};

/** Prints the configuration in effect. */
export const configPrint: Handler = ({ command }) => {
  writeOut(JSON.stringify(commandContext(command).config.masked(), null, 2));
  return 0;
};

/** Prints its JSON schema. */
export const configSchema: Handler = () => {
  writeOut(JSON.stringify(configJsonSchema(), null, 2));
  return 0;
};
