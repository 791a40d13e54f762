import { Command, CommanderError } from 'commander';
import { type CommandAction, withCommonOptions } from './common-options.js';
import { closeProgress, jsonListener } from './listeners.js';
import type { Io } from './io.js';
import { emitError } from './output/report-error.js';
import { widthOf } from './output/write.js';
import { SHOWN_VERSION } from './compose/package-info.js';
import type { Emit } from '../core/domain/events.js';
import { EXIT_CODES } from './exit-codes.js';

/*
 * How a command line becomes work: the words name a command, only its usage is loaded, commander reads options and
 * arguments, and the action loads the command itself and calls it. `--help` and an unknown word load the usages of all.
 */

type MakeCommand = (action: CommandAction) => Command;

/** In the order of the help. A usage holds only words and options; calling the command loads the rest. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import('./usage/sync.js')).runUsage,
  start: async () => (await import('./usage/sync.js')).startUsage,
  resync: async () => (await import('./usage/sync.js')).resyncUsage,
  plan: async () => (await import('./usage/sync.js')).planUsage,
  status: async () => (await import('./usage/look.js')).statusUsage,
  records: async () => (await import('./usage/look.js')).recordsUsage,
  explain: async () => (await import('./usage/look.js')).explainUsage,
  report: async () => (await import('./usage/look.js')).reportUsage,
  actions: async () => (await import('./usage/look.js')).actionsUsage,
  retry: async () => (await import('./usage/sync.js')).retryUsage,
  approve: async () => (await import('./usage/sync.js')).approveUsage,
  verify: async () => (await import('./usage/sync.js')).verifyUsage,
  doctor: async () => (await import('./usage/look.js')).doctorUsage,
  probe: async () => (await import('./usage/sync.js')).probeUsage,
  inbox: async () => (await import('./usage/sync.js')).inboxUsage,
  subject: async () => (await import('./usage/look.js')).subjectUsage,
  adopt: async () => (await import('./usage/sync.js')).adoptUsage,
  init: async () => (await import('./usage/look.js')).initUsage,
  lookup: async () => (await import('./usage/look.js')).lookupUsage,
  migrate: async () => (await import('./usage/sync.js')).migrateUsage,
  fleet: async () => (await import('./usage/fleet.js')).fleetUsage,
  config: async () => (await import('./usage/look.js')).configUsage,
  sign: async () => (await import('./usage/rehearse.js')).signUsage,
  notify: async () => (await import('./usage/look.js')).notifyUsage,
  sandbox: async () => (await import('./usage/rehearse.js')).sandboxUsage,
  demo: async () => (await import('./usage/rehearse.js')).demoUsage,
  help: async () => (await import('./usage/look.js')).helpUsage,
};
const WITHOUT_CONFIG: readonly string[] = ['init', 'sandbox', 'demo', 'help'];
const USUAL_WIDTH = 80;

const EXIT_CODES_HELP = `
Exit codes:
${EXIT_CODES.map(({ code, short }) => `  ${code}  ${short}`).join('\n')}
`;

/**
 * The program with the commands of these names. `action` wraps each command's work; without it they only describe
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
    .version(SHOWN_VERSION, '-v, --version')
    // Else commander hands the options of a subcommand of `sandbox` to `sandbox` itself.
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES_HELP);
  for (const [name, load] of Object.entries(COMMANDS)) {
    if (!names.includes(name)) continue;
    const make = await load();
    program.addCommand(withCommonOptions(make(action), { config: !WITHOUT_CONFIG.includes(name) }));
  }
  return program;
}

/**
 * Runs the command line. Gives the exit code, and the log of a command whose standard error is JSON. Errors: SyncError,
 * or what a defect throws.
 */
export async function createProgram(
  words: readonly string[],
  io: Io,
): Promise<{ readonly exitCode: number; readonly log: Emit | undefined }> {
  let exitCode = 0;
  let log: Emit | undefined;
  const action: CommandAction = (load) =>
    async function run(this: Command, ...given: unknown[]) {
      try {
        const handler = await load();
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
 * The one command that the words name; options may stand before it. All commands for `help` and an unknown
 * word, whose error suggests a similar command.
 */
function neededCommands(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith('-')) at += ['-c', '--config'].includes(words[at] ?? '') ? 2 : 1;
  const name = words[at] ?? '';
  return Object.hasOwn(COMMANDS, name) && name !== 'help' ? [name] : Object.keys(COMMANDS);
}

/** Commander would end the process by itself, and subcommands do not inherit these settings. */
function prepare(command: Command, io: Io): void {
  const { stdout, stderr } = io;
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(--help shows more)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout) ?? USUAL_WIDTH,
      getErrHelpWidth: () => widthOf(stderr) ?? USUAL_WIDTH,
    });
  command.commands.forEach((child) => prepare(child, io));
}
