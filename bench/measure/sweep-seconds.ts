import type { Line } from './run-process.js';

/** Seconds that the sweep of an entity took, from the lines of the log that begin and end it. */
export function sweepSeconds(lines: readonly Line[], entity: string): number {
  const at = (pattern: RegExp): number => {
    const line = lines.find(({ text }) => pattern.test(text));
    if (!line) throw new Error(`The log has no line like ${String(pattern)}.`);
    return line.at;
  };
  return (at(new RegExp(`${entity}: \\d+ read,`)) - at(new RegExp(`${entity}: reading`))) / 1000;
}
