/** Pattern, and the text shown in its place. */
const PARTICULARS: readonly (readonly [string, string])[] = [
  ['[^\\s@"]+@[^\\s@"]+', '<email>'],
  ['[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>'],
  ['"[^"]*"|“[^”]*”|‘[^’]*’', '"…"'],
  [`(^|[^[:alnum:]])''[^'']*''`, '\\1"…"'],
  ['[0-9][0-9 .-]{4,}[0-9]', '<number>'],
];

/**
 * SQL: the text of that expression without details of one record (quoted text, e-mail addresses, ids and long numbers),
 * so that none is shown and equal causes give equal texts.
 */
export function withoutParticulars(text: string): string {
  return PARTICULARS.reduce(
    (sql, [pattern, shown]) => `regexp_replace(${sql}, '${pattern}', '${shown}', 'g')`,
    text,
  );
}
