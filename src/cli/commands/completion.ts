import { bashScript } from '../completion/bash-script.js';
import { commandShapes, type CommandShape, type SHELLS } from '../completion/command-shapes.js';
import { fishScript } from '../completion/fish-script.js';
import { zshScript } from '../completion/zsh-script.js';
import { writeOut } from '../output/write.js';
import type { Handler } from '../command-action.js';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (shapes: readonly CommandShape[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a script that teaches a shell the commands, their options and the names of the entities. */
export const completionCommand: Handler = ({ command, arguments: [shell = 'bash'] }) => {
  let program = command;
  while (program.parent) program = program.parent;
  writeOut(SCRIPTS[shell as keyof typeof SCRIPTS](commandShapes(program)));
  return 0;
};
