import type { Command } from 'commander';
import type { Emit } from '../domain/events.js';
import { io, type Output } from './io.js';

/** What commands opened on standard error: known to the program, which loads neither log nor progress by itself. */
const jsonListeners = new WeakMap<Command, Emit>();
/** Bars, by the standard error that they are drawn on. */
const opened = new WeakMap<Output, { close(): void }[]>();

/** `command` has a configuration that asks for JSON: each line of standard error is an object then, errors too. */
export function noteJsonListener(command: Command, emit: Emit): void {
  jsonListeners.set(command, emit);
}

/** The listener that has to hear how the command failed; undefined: standard error is plain text. */
export function jsonListener(command: Command): Emit | undefined {
  return jsonListeners.get(command);
}

export function noteProgress(progress: { close(): void }): void {
  const { stderr } = io();
  opened.set(stderr, [...(opened.get(stderr) ?? []), progress]);
}

/** Takes every bar of this command line away: a command may have failed in the middle of something. */
export function closeProgress(): void {
  const { stderr } = io();
  opened.get(stderr)?.forEach((progress) => progress.close());
  opened.delete(stderr);
}
