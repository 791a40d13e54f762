import { PARTICULARS } from '../../domain/issue-group.js';

/**
 * SQL: the text of that expression without details of one record (quoted text, e-mail addresses, ids and long numbers),
 * so that none is shown and equal causes give equal texts.
 */
export function withoutParticulars(text: string): string {
  return PARTICULARS.reduce(
    (sql, [pattern, shown]) => `regexp_replace(${sql}, '${pattern.replaceAll("'", "''")}', '${shown}', 'g')`,
    text,
  );
}
