import type { Command } from 'commander';
import { loadConfig, type LoadedConfig } from '../config/load.js';
import type { Emit } from '../domain/events.js';
import { createLog } from '../telemetry/create-log.js';
import type { LogLevel } from '../telemetry/log-line.js';
import { io, type Output } from './io.js';
import { createProgress, type Progress } from './output/progress.js';

/** Options that every command has, before or after its name. */
interface CommonOptions {
  readonly config?: string;
  readonly quiet?: boolean;
}

/** Adds `--quiet` to a command, and `--config` unless it needs no configuration. */
export function withCommonOptions(command: Command, { config = true } = {}): Command {
  // From 40 columns beside the names on, help would be wrapped; below, the terminal would cut words in two.
  command.configureHelp({ minWidthToWrap: 16 });
  if (config) {
    command.option(
      '-c, --config <file>',
      'configuration (default: PLACEMENT_SYNC_CONFIG, or config/placement-sync.yaml)',
    );
  }
  return command.option('-q, --quiet', 'only errors and results');
}

/** The common options of a command, wherever they stood. */
export function commonOptions(command: Command): CommonOptions {
  const above = command.parent ? commonOptions(command.parent) : {};
  const { config, quiet } = command.opts<CommonOptions>();
  return { ...above, ...(config === undefined ? {} : { config }), ...(quiet === undefined ? {} : { quiet }) };
}

export interface CommandContext {
  readonly config: LoadedConfig;
  readonly emit: Emit;
}

/**
 * Loads the configuration, says its warnings, and sets up log and progress on standard error. `bar: false`: the log is
 * shown on a terminal too, as for what runs until it is stopped.
 */
export function commandContext(command: Command, { bar = true } = {}): CommandContext {
  const { config: file, quiet = false } = commonOptions(command);
  const config = loadConfig({ file, ...io() });
  const { level, format } = config.settings.logging;
  const emit = standardErrorListener({ level, format, quiet, bar });
  if (format === 'json' && !onTerminal()) jsonListeners.set(command, emit);
  config.warnings.forEach((message) => emit({ type: 'warning', message }));
  return { config, emit };
}

/** Of commands whose configuration asks for JSON: each line of standard error is an object then, errors too. */
const jsonListeners = new WeakMap<Command, Emit>();

/** The listener that has to be told how the command failed; undefined: it is told in plain text. */
export function jsonListener(command: Command): Emit | undefined {
  return jsonListeners.get(command);
}

function onTerminal(): boolean {
  return io().stderr.isTTY === true;
}

/** By the standard error that they are drawn on. */
const opened = new WeakMap<Output, Progress[]>();

/** Takes every bar of this command line away: a command may have failed in the middle of something. */
export function closeProgress(): void {
  const { stderr } = io();
  opened.get(stderr)?.forEach((progress) => progress.close());
  opened.delete(stderr);
}

/** Log and progress on standard error. On a terminal the bar stands in for what the log says at level info. */
export function standardErrorListener(options: {
  level: LogLevel;
  format: 'json' | 'pretty';
  quiet: boolean;
  bar?: boolean;
}): Emit {
  const { level, format, quiet, bar = true } = options;
  const { stderr } = io();
  const progress = createProgress(stderr, { quiet, bar }, (event) => log(event));
  opened.set(stderr, [...(opened.get(stderr) ?? []), progress]);
  const log = createLog({
    level: quiet ? 'error' : progress.interactive && level === 'info' ? 'warn' : level,
    format: onTerminal() ? 'pretty' : format,
    stream: progress.around(stderr),
  });
  return (event) => {
    // On a terminal the summary follows at once.
    if (!(progress.interactive && event.type === 'run-finished')) log(event);
    progress.emit(event);
  };
}
