/**
 * What differs from record to record in a message, and the text shown in its place. The patterns are those of Postgres,
 * because the ledger is grouped there; what JavaScript writes otherwise is `[:alnum:]`.
 */
export const PARTICULARS: readonly (readonly [pattern: string, shown: string])[] = [
  ['[^\\s@"]+@[^\\s@"]+', '<email>'],
  ['[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>'],
  ['"[^"]*"|“[^”]*”|‘[^’]*’', '"…"'],
  // Not the apostrophe of a word.
  ["(^|[^[:alnum:]])'[^']*'", '\\1"…"'],
  ['[0-9][0-9 .-]{4,}[0-9]', '<number>'],
];
