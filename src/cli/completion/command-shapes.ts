import type { Argument, Command, Option } from 'commander';
import { ENTITY_NAMES } from '../../entities/registry.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What may follow in one place: one of some words, a file, or anything. */
export interface Values {
  readonly words: readonly string[];
  readonly files: boolean;
}

export interface OptionShape extends Values {
  /** Such as `-e` and `--entity`. */
  readonly flags: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** What a shell needs to know of one command. */
export interface CommandShape {
  /** Names of the commands below the program, joined by blanks; empty: the program itself. */
  readonly path: string;
  readonly children: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionShape[];
  readonly arguments: readonly Values[];
}

/** The program and every command below it, as its help shows them. */
export function commandShapes(command: Command, path: readonly string[] = []): readonly CommandShape[] {
  const help = command.createHelp();
  const shape: CommandShape = {
    path: path.join(' '),
    children: help
      .visibleCommands(command)
      .map((child) => ({ name: child.name(), description: firstLine(child.description()) })),
    options: help.visibleOptions(command).map(optionShape),
    arguments: command.registeredArguments.map(argumentValues),
  };
  return [shape, ...command.commands.flatMap((child) => commandShapes(child, [...path, child.name()]))];
}

function optionShape(option: Option): OptionShape {
  const { short, long, argChoices, flags, description } = option;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    takesValue: option.required || option.optional,
    description: firstLine(description),
    words: long === '--entity' ? ENTITY_NAMES : (argChoices ?? []),
    files: /<(file|dir)>/.test(flags),
  };
}

function argumentValues(argument: Argument): Values {
  return { words: argument.name() === 'entity' ? ENTITY_NAMES : (argument.argChoices ?? []), files: false };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
