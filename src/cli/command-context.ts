import type { Command } from 'commander';
import { loadConfig, type LoadedConfig } from '../core/config/load.js';
import type { Emit } from '../core/domain/events.js';
import { createLog, type LogLevel } from './output/log.js';
import { commonOptions } from './common-options.js';
import { io } from './io.js';
import { noteJsonListener, noteProgress } from './listeners.js';
import { Progress } from './output/progress.js';

export interface CommandContext {
  readonly config: LoadedConfig;
  readonly emit: Emit;
}

/**
 * Loads the configuration, logs its warnings, and sets up log and progress on standard error. `bar: false`: a terminal
 * shows the log too, for a command that runs until you stop it. `withoutCredentials`: as `loadConfig` has it.
 */
export function commandContext(
  command: Command,
  { bar = true, withoutCredentials = false } = {},
): CommandContext {
  const { config: file, quiet = false } = commonOptions(command);
  const config = loadConfig({ file, ...io(), withoutCredentials });
  const { level, format } = config.settings.logging;
  const emit = standardErrorListener({ level, format, quiet, bar });
  if (format === 'json' && !onTerminal()) noteJsonListener(command, emit);
  config.warnings.forEach((message) => emit({ type: 'warning', message }));
  return { config, emit };
}

function onTerminal(): boolean {
  return io().stderr.isTTY === true;
}

/** Log and progress on standard error. On a terminal the bar replaces the log's info lines. */
export function standardErrorListener(options: {
  level: LogLevel;
  format: 'json' | 'pretty';
  quiet: boolean;
  bar?: boolean;
}): Emit {
  const { level, format, quiet, bar = true } = options;
  const progress = new Progress(io().stderr, { quiet, bar }, (event) => log(event));
  noteProgress(progress);
  const log = createLog({
    level: quiet ? 'error' : progress.interactive && level === 'info' ? 'warn' : level,
    format: onTerminal() ? 'pretty' : format,
    stream: progress.around(io().stderr),
  });
  return (event) => {
    // On a terminal the summary follows at once.
    if (!(progress.interactive && event.type === 'run-finished')) log(event);
    progress.emit(event);
  };
}
