import { Argument, Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { bashScript } from '../completion/bash-script.js';
import { commandShapes, type CommandShape } from '../completion/command-shapes.js';
import { fishScript } from '../completion/fish-script.js';
import { zshScript } from '../completion/zsh-script.js';
import { writeOut } from '../output/write.js';

const SCRIPTS: Readonly<Record<string, (shapes: readonly CommandShape[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Prints a script that teaches a shell the commands, their options and the names of the entities. */
export function completionCommand(action: CommandAction): Command {
  return new Command('completion')
    .description('print a script with which a shell completes commands, options and entity names')
    .addHelpText(
      'after',
      '\nExamples: source <(placement-sync completion bash)\n          placement-sync completion fish > ~/.config/fish/completions/placement-sync.fish',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .action(
      action(({ command, arguments: [shell = ''] }) => {
        let program = command;
        while (program.parent) program = program.parent;
        writeOut(SCRIPTS[shell]?.(commandShapes(program)) ?? '');
        return Promise.resolve(0);
      }),
    );
}
