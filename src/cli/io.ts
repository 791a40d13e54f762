import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { type EnvironmentVariables, processEnvironment } from '../core/config/read-named-config.js';
import { usageError } from '../core/domain/errors.js';

/** A stream of results or messages; a stream that is not a terminal lacks these properties. */
export type Output = NodeJS.WritableStream &
  Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'hasColors'>>;

/**
 * Everything that a command line takes from its process, so that a test can replace it. `withIo` gives it to one command
 * line, `io()` is the one of the command line that runs.
 */
export interface Io {
  readonly readInput: () => Buffer;
  /** Asks a person on the terminal; null: there is none; false: the person ended the input. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | null | false>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: EnvironmentVariables;
  /** Where relative paths of the command line start. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Sets the exit code; the last call counts. */
  readonly setExitCode: (code: number) => void;
}

/** The stream with another way to write. */
export function withWrite(stream: Output, write: (text: string, ...rest: []) => boolean): Output {
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const given = new AsyncLocalStorage<Io>();

/** Does `work` with these streams: no function needs them as a parameter. */
export function withIo<T>(io: Io, work: () => Promise<T>): Promise<T> {
  return given.run(io, work);
}

/** The streams of the current command line; outside of one, those of the process, without signals. */
export function io(): Io {
  return given.getStore() ?? processIo(new AbortController().signal);
}

export function processIo(signal: AbortSignal): Io {
  return {
    readInput: () => readFileSync(0),
    ask: askOnTerminal,
    stdout: process.stdout,
    stderr: process.stderr,
    env: processEnvironment(),
    cwd: process.cwd(),
    signal,
    setExitCode: (code) => (process.exitCode = code),
  };
}

/**
 * Asks a question on the terminal. Gives the answer, or null where no terminal is there to answer: a script, cron.
 * Ctrl-D gives false: the input has ended, and no further question would get an answer. Ctrl-C gives an empty answer, and
 * so does a terminal whose user cannot see the question.
 */
async function askOnTerminal(question: string, signal: AbortSignal): Promise<string | null | false> {
  if (!isatty(0)) return null;
  const shown = isatty(2) ? process.stderr : isatty(1) ? process.stdout : null;
  if (shown === null) return '';
  if (process.stdin.readableEnded) return false;
  const { createInterface } = await import('node:readline');
  // Not a terminal to readline: it would take Ctrl-C for itself.
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    shown.write(question);
    const [answer] = (await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }),
    ])) as [string?];
    return answer ?? false;
  } catch (error) {
    if (signal.aborted) return '';
    throw error;
  } finally {
    lines.close();
  }
}

/**
 * Asks before something that cannot be taken back. Only a person answers: a program without a terminal (cron,
 * `ssh host COMMAND`, `kubectl exec` without `-t`) says what it wants by `--yes`, and it is refused without.
 *
 * `what`: what asks, such as `approve`. `again`: the command that goes on without a question. Errors: SyncError `usage`
 * where nobody can answer; nothing was done then.
 */
export async function isConfirmed(
  question: string,
  { what, again }: { readonly what: string; readonly again: string },
): Promise<boolean> {
  const { ask, signal } = io();
  const answer = await ask(`${question} [y/N] `, signal);
  if (answer !== null) return answer !== false && /^\s*y(es)?\s*$/i.test(answer);
  throw usageError(
    `${what} asks before it goes on, and there is no terminal. Nothing was done.`,
    `Read what it would do. If you want that, add --yes: ${again}`,
  );
}

/** The bytes of a file (`-`: standard input), unchanged: the signature covers a line feed at the end too. */
export function readBody(file: string): Buffer {
  const { cwd, readInput } = io();
  try {
    return file === '-' ? readInput() : readFileSync(resolve(cwd, file));
  } catch (error) {
    throw usageError(`The body ${file} cannot be read: ${(error as Error).message}`);
  }
}
