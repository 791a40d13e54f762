import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configJsonSchema } from '../output/json-schema.js';
import { SyncError, usageError } from '../../core/domain/errors.js';
import { AREAS } from '../../core/domain/names.js';
import { createFile } from '../output/files.js';
import { shellWord } from '../../core/domain/text.js';
import { checkSchedule } from '../../core/run/schedule.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { adapterDoor } from '../compose/open-platforms.js';
import { PACKAGE_ROOT } from '../compose/package-info.js';
import { io } from '../io.js';
import { describeTransport } from '../output/report-error.js';
import { say, writeOut } from '../output/write.js';

export const configCheck: Handler = async ({ command }) => {
  const { config } = commandContext(command);
  checkSchedule(config.settings.schedule);
  for (const area of AREAS) {
    const loaded = await adapterDoor(config, area)?.functions();
    if (loaded && 'failure' in loaded)
      throw new SyncError('config-invalid', `The adapter of ${area} cannot be used: ${loaded.failure}`, {
        scope: 'usage',
        hint: 'Correct the module that platform.adapter names. It was loaded, and nothing of it was called.',
      });
  }
  const { file, entities, transport } = config;
  const travel = AREAS.flatMap((area) => (transport[area] ? describeTransport(area, transport[area]) : []));
  writeOut([`${file}: no problems. Entities: ${[...entities.keys()].join(', ')}.`, ...travel].join('\n'));
  return 0;
};

export const configPrint: Handler = ({ command }) => {
  writeOut(JSON.stringify(commandContext(command).config.masked(), null, 2));
  return 0;
};

export const configSchema: Handler = () => {
  writeOut(JSON.stringify(configJsonSchema(), null, 2));
  return 0;
};

/** Writes the files that the guide begins with. A file that exists stays as it is. */
export const configInit: Handler = ({ command }) => {
  const { out } = command.opts<{ out: string }>();
  const folder = resolve(io().cwd, out);
  for (const { from, to } of exampleFiles()) {
    const written = create(join(folder, to), readFileSync(from));
    say(written ? `wrote ${join(out, to)}` : `kept  ${join(out, to)}: it exists, so it was not changed`);
  }
  const file = shellWord(join(out, 'placement-sync.yaml'));
  say(
    `\nThe queries and lookups fit the sample database of the demo. Replace them by your own, then: placement-sync config check --config ${file}`,
  );
  return 0;
};

function create(path: string, content: Buffer): boolean {
  try {
    return createFile(path, content);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw usageError(
      `${path} could not be written: ${code}.`,
      'Name a folder that you may write to: placement-sync config init --out DIR. What was written so far is kept.',
      error,
    );
  }
}

/**
 * The files that a partner begins with: configuration, its schema for editors, queries, lookups and the list of variables
 * (which the image does not have). `from`: full path in the package; `to`: place below the partner's folder.
 */
export function exampleFiles(): readonly { readonly from: string; readonly to: string }[] {
  const config = join(PACKAGE_ROOT, 'config');
  return [
    { from: join(config, 'placement-sync.example.yaml'), to: 'placement-sync.yaml' },
    { from: join(config, 'placement-sync.schema.json'), to: 'placement-sync.schema.json' },
    ...['queries', 'reference'].flatMap((folder) =>
      readdirSync(join(config, folder))
        .sort()
        .map((name) => ({ from: join(config, folder, name), to: join(folder, name) })),
    ),
    { from: join(PACKAGE_ROOT, '.env.example'), to: '.env.example' },
  ].filter(({ from }) => existsSync(from));
}
