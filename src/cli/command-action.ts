import type { Command } from 'commander';

/** What a command's handler gets. */
export interface Invocation {
  readonly command: Command;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly arguments: readonly string[];
}

/** Wraps a handler that gives the exit code into what commander wants. */
export type CommandAction = (
  handler: (invocation: Invocation) => Promise<number>,
) => (this: Command, ...given: unknown[]) => Promise<void>;
