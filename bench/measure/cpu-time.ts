import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICKS = 100;

interface Stat {
  readonly parent: number;
  /** Of the process itself, and of its children that ended. */
  readonly own: number;
  readonly ended: number;
}

/** Seconds of CPU that a process used until now. */
export function cpuTime(pid: number): number {
  return statOf(pid)?.own ?? NaN;
}

/** Seconds of CPU that a process's children used until now, those that ended and those that live. */
export function childrenCpuTime(pid: number): number {
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return living.reduce((sum, stat) => sum + (stat?.own ?? 0), statOf(pid)?.ended ?? NaN);
}

/** Null: it has ended. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = NaN] = fields;
    const sum = (from: number) => ((fields[from] ?? NaN) + (fields[from + 1] ?? NaN)) / TICKS;
    return { parent, own: sum(11), ended: sum(13) };
  } catch {
    return null;
  }
}
