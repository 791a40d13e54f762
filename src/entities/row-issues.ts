import type { Issue } from '../domain/issue.js';
import type { JsonValue } from '../domain/json.js';
import type { Column } from './entity.js';
import type { Fault } from './value/reading.js';

/** Longest value shown in an issue: enough to recognise it, and no whole description in a log. */
const SHOWN_CHARACTERS = 80;

/** What was found, as short text that a database can store; undefined for nothing. */
export function shownValue(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === 'string' ? value : jsonText(value);
  const short = text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS - 1)}…`;
  return short.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A value that a rule could not work on: its exception is about this value, not about the program's state. */
export function conversionFault(error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'type',
    message: `cannot be converted: ${reason.slice(0, 200)}`,
    hint: 'Correct the value at its source, or convert it in the query.',
  };
}

/** JSON that is nested too deeply to be written, which is what is wrong with it, as dots. */
function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

/** An issue of one column: `field` is the body's path, and the message names the column where that differs. */
export function columnIssue(column: Column, found: Fault, value: JsonValue | undefined): Issue {
  const field = column.field ?? column.name;
  return {
    field,
    code: found.code,
    message: field === column.name ? found.message : `${found.message} (column ${column.name})`,
    value: shownValue(value),
    hint: found.hint,
  };
}
