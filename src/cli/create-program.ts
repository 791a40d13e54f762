import { Command, CommanderError } from 'commander';
import { closeProgress, jsonListener, withCommonOptions } from './command-context.js';
import type { CommandAction } from './command-action.js';
import type { Io } from './io.js';
import { emitError } from './output/report-error.js';
import { widthOf } from './output/write.js';
import { VERSION } from './compose/package-info.js';
import type { Emit } from '../domain/events.js';

type MakeCommand = (action: CommandAction) => Command;

/** In the order of the help. What a command needs is loaded with it: the others would cost each start more than a second. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import('./commands/run.js')).runCommand,
  start: async () => (await import('./commands/start.js')).startCommand,
  resync: async () => (await import('./commands/resync.js')).resyncCommand,
  plan: async () => (await import('./commands/plan.js')).planCommand,
  status: async () => (await import('./commands/status.js')).statusCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  retry: async () => (await import('./commands/retry.js')).retryCommand,
  approve: async () => (await import('./commands/approve.js')).approveCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  adopt: async () => (await import('./commands/adopt.js')).adoptCommand,
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand,
  config: async () => (await import('./commands/config.js')).configCommand,
  sign: async () => (await import('./commands/sign.js')).signCommand,
  notify: async () => (await import('./commands/notify.js')).notifyCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  demo: async () => (await import('./commands/demo.js')).demoCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
};
/** They bring what they need. */
const WITHOUT_CONFIG: readonly string[] = ['sandbox', 'demo', 'completion'];
/** Columns of help that goes to no terminal. */
const USUAL_WIDTH = 80;
/** It tells of all the others. */
const ABOUT_ALL = 'completion';

const EXIT_CODES = `
Exit codes: 0 complete · 1 failed or stopped by a signal · 2 usage or configuration
            3 some records invalid, rejected, without a parent, or held otherwise · 4 held by a guard
            5 platform refused, unreachable or paused · 6 another run is under way
`;

/**
 * The program with the commands of these names; `action` wraps what each of them does. Without it they only describe
 * themselves.
 */
export async function buildProgram(
  action: CommandAction = () => () => Promise.resolve(),
  names: readonly string[] = Object.keys(COMMANDS),
): Promise<Command> {
  const program = withCommonOptions(new Command('placement-sync'))
    .description(
      'Keeps the national job-placement and training platform in step with your Postgres database.',
    )
    .version(VERSION, '-v, --version')
    .addHelpText('after', EXIT_CODES);
  for (const [name, load] of Object.entries(COMMANDS)) {
    if (!names.includes(name)) continue;
    const make = await load();
    program.addCommand(withCommonOptions(make(action), { config: !WITHOUT_CONFIG.includes(name) }));
  }
  return program;
}

/**
 * Runs the command line; gives the exit code, and the log of a command whose standard error is JSON. Errors: SyncError,
 * or what a defect throws.
 */
export async function createProgram(
  words: readonly string[],
  io: Io,
): Promise<{ readonly exitCode: number; readonly log: Emit | undefined }> {
  let exitCode = 0;
  let log: Emit | undefined;
  const action: CommandAction = (handler) =>
    async function run(this: Command, ...given: unknown[]) {
      try {
        exitCode = await handler({
          command: this,
          signal: io.signal,
          arguments: given.slice(0, -2) as string[],
        });
      } catch (error) {
        const emit = jsonListener(this);
        if (error instanceof CommanderError || emit === undefined) throw error;
        exitCode = emitError(error, emit);
      } finally {
        log = jsonListener(this);
        closeProgress();
      }
    };
  const program = await buildProgram(action, neededCommands(words));
  prepare(program, io);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, log };
    throw error;
  }
  return { exitCode, log };
}

/**
 * The one command that the words ask for, found behind the options that may stand before it. All of them, where that is
 * not sure: for help, for `completion`, and to suggest what a misspelt word meant.
 */
function neededCommands(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += ['-c', '--config'].includes(words[at] ?? '') ? 2 : 1;
  const name = words[at] ?? '';
  return Object.hasOwn(COMMANDS, name) && name !== ABOUT_ALL ? [name] : Object.keys(COMMANDS);
}

/** Commander would end the process by itself; and it passes nothing of this on to commands made elsewhere. */
function prepare(command: Command, io: Io): void {
  const { stdout, stderr } = io;
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(--help tells more)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout) ?? USUAL_WIDTH,
      getErrHelpWidth: () => widthOf(stderr) ?? USUAL_WIDTH,
    });
  command.commands.forEach((child) => prepare(child, io));
}
