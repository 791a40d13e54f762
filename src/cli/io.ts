import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { askOnTerminal } from './ask-on-terminal.js';
import { type EnvironmentVariables, processEnvironment } from '../config/read-named-config.js';

/** A stream of results or messages; a stream that is not a terminal lacks these properties. */
export type Output = NodeJS.WritableStream &
  Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'hasColors'>>;

/** Everything that a command line takes from its process, so that a test can replace it. */
export interface Io {
  /** All of standard input. */
  readonly readInput: () => Buffer;
  /** Asks a person on the terminal; null: there is none; false: the person ended the input. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | null | false>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: EnvironmentVariables;
  /** Where relative paths of the command line start. */
  readonly cwd: string;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code; the last call counts. */
  readonly setExitCode: (code: number) => void;
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
