import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { createFile, shellWord } from '../../runtime/files.js';
import type { Handler } from '../command-action.js';
import { exampleFiles } from '../compose/example-files.js';
import { io } from '../io.js';
import { say } from '../output/write.js';

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
    throw new SyncError('usage', `${path} could not be written: ${code}.`, {
      scope: 'usage',
      hint: 'Name a folder that you may write to: placement-sync config init --out DIR. What was written so far is kept.',
      cause: error,
    });
  }
}
