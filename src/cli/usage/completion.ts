import { Argument, Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { SHELLS } from '../completion/command-shapes.js';

/** How `completion` is called. */
export function completionUsage(action: CommandAction): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and entity names in a shell')
    .addHelpText(
      'after',
      '\nExamples: source <(placement-sync completion bash)\n          placement-sync completion fish > ~/.config/fish/completions/placement-sync.fish',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action(action(async () => (await import('../commands/completion.js')).completionCommand));
}
