import type { Command } from 'commander';

/** What a command's handler gets. */
export interface Invocation {
  readonly command: Command;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly arguments: readonly string[];
}

/** Does the work of a command; gives the exit code. */
export type Handler = (invocation: Invocation) => number | Promise<number>;

/** Wraps a handler into what commander wants. It is loaded when the command is called, with all that it needs. */
export type CommandAction = (
  load: () => Promise<Handler>,
) => (this: Command, ...given: unknown[]) => Promise<void>;
