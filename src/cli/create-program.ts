import { Command, CommanderError } from 'commander';
import { closeProgress, jsonListener, withCommonOptions } from './command-context.js';
import type { CommandAction } from './command-action.js';
import { adoptCommand } from './commands/adopt.js';
import { approveCommand } from './commands/approve.js';
import { completionCommand } from './commands/completion.js';
import { configCommand } from './commands/config.js';
import { demoCommand } from './commands/demo.js';
import { explainCommand } from './commands/explain.js';
import { migrateCommand } from './commands/migrate.js';
import { notifyCommand } from './commands/notify.js';
import { planCommand } from './commands/plan.js';
import { resyncCommand } from './commands/resync.js';
import { retryCommand } from './commands/retry.js';
import { runCommand } from './commands/run.js';
import { sandboxCommand } from './commands/sandbox.js';
import { signCommand } from './commands/sign.js';
import { startCommand } from './commands/start.js';
import { statusCommand } from './commands/status.js';
import { emitError } from './output/report-error.js';
import { verifyCommand } from './commands/verify.js';
import { VERSION } from './compose/package-info.js';

const COMMANDS: readonly ((action: CommandAction) => Command)[] = [
  runCommand,
  startCommand,
  resyncCommand,
  planCommand,
  statusCommand,
  explainCommand,
  retryCommand,
  approveCommand,
  verifyCommand,
  adoptCommand,
  migrateCommand,
  configCommand,
  signCommand,
  notifyCommand,
];
/** They bring what they need. */
const WITHOUT_CONFIG: typeof COMMANDS = [sandboxCommand, demoCommand, completionCommand];

const EXIT_CODES = `
Exit codes: 0 complete · 1 failed or stopped by a signal · 2 usage or configuration
            3 some records invalid, rejected, without a parent, or held otherwise · 4 held by a guard
            5 platform refused, unreachable or paused · 6 another run is under way
`;

/** All commands; `action` wraps what each of them does. Without it they only describe themselves. */
export function buildProgram(action: CommandAction = () => () => Promise.resolve()): Command {
  const program = withCommonOptions(new Command('placement-sync'))
    .description(
      'Keeps the national job-placement and training platform in step with your Postgres database.',
    )
    .version(VERSION, '-v, --version')
    .addHelpText('after', EXIT_CODES);
  for (const make of COMMANDS) program.addCommand(withCommonOptions(make(action)));
  for (const make of WITHOUT_CONFIG) program.addCommand(withCommonOptions(make(action), { config: false }));
  return program;
}

/** Runs the command line; gives the exit code. Errors: SyncError, or what a defect throws. */
export async function createProgram(
  signal: AbortSignal,
  argv: readonly string[] = process.argv,
): Promise<number> {
  let exitCode = 0;
  const action: CommandAction = (handler) =>
    async function run(this: Command, ...given: unknown[]) {
      try {
        exitCode = await handler({ command: this, signal, arguments: given.slice(0, -2) as string[] });
      } catch (error) {
        const emit = jsonListener(this);
        if (error instanceof CommanderError || emit === undefined) throw error;
        exitCode = emitError(error, emit);
      } finally {
        closeProgress();
      }
    };
  const program = buildProgram(action);
  prepare(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  return exitCode;
}

/** Commander would end the process by itself; and it passes nothing of this on to commands made elsewhere. */
function prepare(command: Command): void {
  command.exitOverride().showSuggestionAfterError().showHelpAfterError('(--help tells more)');
  command.commands.forEach(prepare);
}
