import type { Command } from 'commander';
import type { Emit } from '../domain/events.js';

/** What commands opened on standard error: known to the program, which loads neither log nor progress by itself. */
const jsonListeners = new WeakMap<Command, Emit>();
const opened = new Set<{ close(): void }>();

/** `command` has a configuration that asks for JSON: each line of standard error is an object then, errors too. */
export function noteJsonListener(command: Command, emit: Emit): void {
  jsonListeners.set(command, emit);
}

/** The listener that has to hear how the command failed; undefined: standard error is plain text. */
export function jsonListener(command: Command): Emit | undefined {
  return jsonListeners.get(command);
}

export function noteProgress(progress: { close(): void }): void {
  opened.add(progress);
}

/** Takes every bar away: a command may have failed in the middle of something. */
export function closeProgress(): void {
  opened.forEach((progress) => progress.close());
  opened.clear();
}
