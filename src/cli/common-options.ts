import { type Command, Option } from 'commander';

/** Options that every command has, before or after its name. */
interface CommonOptions {
  readonly config?: string;
  readonly quiet?: boolean;
}

/**
 * Adds `--quiet` and `--config` to a command; what needs no configuration does not name it in its help. `config`: the help
 * for a command that reads no default file.
 */
export function withCommonOptions(
  command: Command,
  { config = true }: { readonly config?: boolean | string } = {},
): Command {
  // Commander's default wraps only from 40 columns on; below that, the terminal would cut words in two.
  command.configureHelp({ minWidthToWrap: 16 });
  if (config !== false) {
    command.option(
      '-c, --config <file>',
      config === true
        ? 'configuration (default: PLACEMENT_SYNC_CONFIG, or config/placement-sync.yaml)'
        : config,
    );
  } else if (!command.options.some(({ long }) => long === '--config')) {
    // A script may give it to every command.
    command.addOption(new Option('-c, --config <file>').hideHelp());
  }
  return command.option('-q, --quiet', 'only errors and results');
}

export function commonOptions(command: Command): CommonOptions {
  const above = command.parent ? commonOptions(command.parent) : {};
  const { config, quiet } = command.opts<CommonOptions>();
  return { ...above, ...(config === undefined ? {} : { config }), ...(quiet === undefined ? {} : { quiet }) };
}

/** Does the work of a command; gives the exit code. The signal aborts at the first SIGINT or SIGTERM. */
export type Handler = (invocation: {
  readonly command: Command;
  readonly signal: AbortSignal;
  readonly arguments: readonly string[];
}) => number | Promise<number>;

/** Wraps a handler for commander. The handler and all that it needs are loaded when the command is called. */
export type CommandAction = (
  load: () => Promise<Handler>,
) => (this: Command, ...given: unknown[]) => Promise<void>;
