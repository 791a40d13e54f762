import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/create-program.js';

/** What `--help` prints, with what is added after it. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return text;
}

function below(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...below(child)]);
}

test.each(below(await buildProgram()).map((command) => [pathOf(command), command] as const))(
  '%s --help has an example that begins as it is called, and takes --quiet',
  (path, command) => {
    const help = helpOf(command);
    expect(help).toMatch(/^Examples?: /m);
    const example = command.commands.length > 0 ? path.split(' ')[0] : path;
    expect(help).toContain(`placement-sync ${example}`);
    expect(help).toContain('--quiet');
  },
);

function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${pathOf(command.parent)} ` : '';
  return `${above}${command.name()}`;
}
