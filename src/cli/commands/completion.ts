import {
  bashScript,
  type CommandShape,
  commandShapes,
  fishScript,
  type SHELLS,
  zshScript,
} from '../completion/scripts.js';
import { writeOut } from '../output/write.js';
import type { Handler } from '../common-options.js';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (shapes: readonly CommandShape[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const completionCommand: Handler = ({ command, arguments: [shell = 'bash'] }) => {
  let program = command;
  while (program.parent) program = program.parent;
  writeOut(SCRIPTS[shell as keyof typeof SCRIPTS](commandShapes(program)));
  return 0;
};
