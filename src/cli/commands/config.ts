import { configJsonSchema } from '../../config/json-schema.js';
import { checkSchedule } from '../../service/schedule.js';
import { AREAS } from '../../domain/names.js';
import { commandContext } from '../command-context.js';
import { describeTransport } from '../output/describe-transport.js';
import { writeOut } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** Checks the configuration. */
export const configCheck: Handler = ({ command }) => {
  const { config } = commandContext(command);
  checkSchedule(config.settings.schedule);
  const { file, entities, transport } = config;
  const travel = AREAS.flatMap((area) => (transport[area] ? describeTransport(area, transport[area]) : []));
  writeOut([`${file}: no problems. Entities: ${[...entities.keys()].join(', ')}.`, ...travel].join('\n'));
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
