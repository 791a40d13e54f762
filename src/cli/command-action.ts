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

/** Wraps a handler for commander. The handler and all that it needs are loaded when the command is called. */
export type CommandAction = (
  load: () => Promise<Handler>,
) => (this: Command, ...given: unknown[]) => Promise<void>;
