import type { Command } from 'commander';
import type { Emit } from '../core/domain/events.js';
import { io, type Output } from './io.js';

/** What commands opened on standard error. The program itself loads neither log nor progress. */
const jsonListeners = new WeakMap<Command, Emit>();
/** Bars by the stream that shows them. */
const opened = new WeakMap<Output, { close(): void }[]>();

/** For a configuration with JSON logs: each line of standard error is an object, errors too. */
export function noteJsonListener(command: Command, emit: Emit): void {
  jsonListeners.set(command, emit);
}

/** The listener that must report how the command failed; undefined: standard error is plain text. */
export function jsonListener(command: Command): Emit | undefined {
  return jsonListeners.get(command);
}

export function noteProgress(progress: { close(): void }): void {
  const { stderr } = io();
  opened.set(stderr, [...(opened.get(stderr) ?? []), progress]);
}

/** Removes every bar of this command line: a command may have failed in the middle of its work. */
export function closeProgress(): void {
  const { stderr } = io();
  opened.get(stderr)?.forEach((progress) => progress.close());
  opened.delete(stderr);
}
