import type { EntityName } from '../domain/names.js';
import { ERROR_CODES } from '../domain/errors.js';
import type { EntityCounters } from '../domain/outcome.js';
import type { ListedRun } from '../ports/runs.js';

/** What a sweep counts, and what a push and the ledger add. */
const SWEPT = ['read', 'new', 'changed', 'vanished', 'expired', 'invalid'] as const;
const PUSHED = ['sent', 'accepted', 'rejected', 'deferred', 'pending'] as const;

type Summed = (typeof SWEPT)[number] | (typeof PUSHED)[number];

/** A run in numbers. */
export interface RunSums {
  /** Of all entities together; null: not known. */
  readonly counts: Readonly<Record<Summed, number | null>>;
  /** Entities whose source was not read: their zeros mean nothing. */
  readonly unread: readonly EntityName[];
}

/** Adds up what a run counted, without the zeros of what it did not read. Pure. */
export function sumRun(run: ListedRun): RunSums {
  const reports = Object.entries(run.entities);
  const read = reports.filter(([, report]) => wasRead(run, report));
  const sum = (name: Summed, among: typeof reports) =>
    among.length === 0 ? null : among.reduce((total, [, report]) => total + (report[name] ?? 0), 0);
  return {
    counts: Object.fromEntries([
      ...SWEPT.map((name) => [name, sum(name, read)]),
      ...PUSHED.map((name) => [name, sum(name, reports)]),
    ]) as Record<Summed, number | null>,
    unread: reports.filter(([, report]) => !wasRead(run, report)).map(([name]) => name),
  };
}

/**
 * Whether its source was read to the end. A report begins with zeros; they stay when the query fails, when the source is
 * away, or when the run ends before. An error of the platform says nothing about the source.
 */
function wasRead(run: ListedRun, { read, error }: EntityCounters & { error: ListedRun['error'] }): boolean {
  if (read > 0) return true;
  const cause = error ?? run.error;
  return cause === null || cause === undefined ? true : isOfPlatform(cause.code);
}

function isOfPlatform(code: string): boolean {
  return code in ERROR_CODES && ERROR_CODES[code as keyof typeof ERROR_CODES] === 5;
}
