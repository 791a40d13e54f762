import type { Late } from './note-late.js';

/** What a draft lacks because the database was too slow, for people. Empty: nothing. Pure. */
export function lateLines(
  { stopped, unbegun }: Late,
  limits: { readonly statementMs: number; readonly wholeMs: number },
): readonly string[] {
  if (stopped + unbegun === 0) return [];
  const seconds = String(limits.statementMs / 1_000);
  const minutes = String(limits.wholeMs / 60_000);
  return [
    '',
    'The database did not answer everything in time, so this draft lacks what was not seen: values, counts, codes, lookups.',
    ...(stopped === 0 ? [] : [`  - ${statements(stopped)} stopped after ${seconds} seconds`]),
    ...(unbegun === 0
      ? []
      : [`  - ${statements(unbegun)} not begun, because the ${minutes} minutes for all of them were over`]),
    'Draft again into another folder (--out DIR) when the database has less to do, or from a replica.',
  ];
}

function statements(count: number): string {
  return count === 1 ? 'one statement was' : `${count.toLocaleString('en-US')} statements were`;
}
