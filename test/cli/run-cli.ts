import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { WriteStream } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { runCli as runHere } from '../../src/cli/run-cli.js';
import { shellWord } from '../../src/core/domain/text.js';
import { commandFailure, noteForFailure } from '../failure-notes.js';
import { secretsIn } from '../security/planted.js';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CliResult {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** The whole environment but PATH and TZ: nothing of the test's own leaks in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard output is a terminal of this size, which shows colours; only in this process. */
  readonly terminal?: { readonly columns: number; readonly rows?: number };
  /** Stands for SIGINT and SIGTERM; only in this process. */
  readonly signal?: AbortSignal;
  /** A person at a terminal who answers every question so; only in this process. */
  readonly answer?: string;
  /** Gets everything that was printed so far, each time something is; only in this process. */
  readonly onOutput?: (stdout: string) => void;
}

export interface RunningCli {
  readonly child: ChildProcess;
  /** What was printed so far. */
  stdout(): string;
  stderr(): string;
  readonly done: Promise<CliResult>;
}

/** Starts the built command line as a process of its own. Whatever it prints is searched for planted secrets. */
export function startCli(
  args: readonly string[],
  { env = {}, cwd = tmpdir(), input }: CliOptions & { readonly input?: string } = {},
): RunningCli {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build makes it`);
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, TZ: process.env.TZ, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let ended: number | null | undefined;
  noteForFailure(() => commandFailure(args.join(' '), ended, stderr));
  const done = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      ended = exitCode;
      resolve({ exitCode, stdout, stderr });
    });
  }).then((result) => searched(args, env, result));
  return { child, stdout: () => stdout, stderr: () => stderr, done };
}

/** Variables that Node or the driver of Postgres read from the process itself. */
const OF_PROCESS = /^(TZ|NODE_\w+|PG\w+)$/;

/**
 * Runs the command line to its end, and searches what it printed for planted secrets. In this process, because starting
 * one costs a second; `CLI_PROCESSES=1` (`npm run test:hard -- --project processes`) starts the built one each time.
 */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, cwd = tmpdir(), terminal, signal, onOutput, answer = null } = options;
  const here = terminal !== undefined || signal !== undefined || onOutput !== undefined || answer !== null;
  const spawned =
    !here && (process.env.CLI_PROCESSES === '1' || Object.keys(env).some((name) => OF_PROCESS.test(name)));
  if (spawned) return await startCli(args, options).done;
  const stdout = new Recorder(onOutput);
  // Node's own function, which knows the variables.
  if (terminal)
    Object.assign(stdout, {
      isTTY: true,
      ...terminal,
      hasColors: WriteStream.prototype.hasColors,
      getColorDepth: WriteStream.prototype.getColorDepth,
    });
  const stderr = new Recorder();
  let exitCode: number | null = null;
  let running = true;
  noteForFailure(() => commandFailure(args.join(' '), running ? undefined : exitCode, stderr.text));
  await runHere(args, {
    readInput: () => Buffer.alloc(0),
    ask: () => Promise.resolve(answer),
    stdout,
    stderr,
    env: { PATH: process.env.PATH, ...env },
    cwd,
    signal: signal ?? new AbortController().signal,
    setExitCode: (code) => (exitCode = code),
  });
  // The log's last line is on its way.
  await turn();
  running = false;
  return searched(args, env, { exitCode, stdout: stdout.text, stderr: stderr.text });
}

/** A pipe that remembers everything. */
class Recorder extends Writable {
  text = '';

  constructor(private readonly onOutput?: (text: string) => void) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.onOutput?.(this.text);
    done();
  }
}

function searched(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  result: CliResult,
): CliResult {
  const [found] = secretsIn(`${result.stdout}\n${result.stderr}`, env);
  if (found === undefined) return result;
  throw new Error(`placement-sync ${args.join(' ')} printed a secret: ${found}`);
}

/** The address that a worker says it listens at, once it does. */
export async function listening(
  worker: Pick<RunningCli, 'stderr'>,
  what: 'admin' | 'webhook' | 'metrics',
): Promise<string> {
  const address = () => new RegExp(`Listening for ${what} at (http[^"\\s]+)`).exec(worker.stderr())?.[1];
  await expect.poll(address, { timeout: 60_000 }).toBeDefined();
  return address() ?? '';
}

/** Runs a command on a terminal of its own, made by `script`, and types once it has asked: shown the end of a question. */
export async function onTerminal(
  world: { readonly env: Readonly<Record<string, string>> },
  args: readonly string[],
  answer: () => Promise<string> | string,
  { question = '[y/N]', cwd = tmpdir() } = {},
): Promise<{ readonly exitCode: number | null; readonly shown: string }> {
  // Without `exec` the shell between would end by Ctrl-C too.
  const line = ['exec', process.execPath, MAIN, ...args].map(shellWord).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, ...world.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (isAsked || !shown.includes(question)) return;
    isAsked = true;
    void Promise.resolve(answer()).then((typed) => child.stdin.write(typed));
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, shown };
}
