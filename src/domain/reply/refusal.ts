import type { Issue } from '../issue.js';
import { oneLine } from './one-line.js';

/** More than any form has fields; a reply that lists more is not about one record. */
const MOST_ISSUES = 100;

/** The error that the body of a reply other than 200 reports. */
export interface Refusal {
  /**
   * The platform's words on one line, single fields first: the general sentence is the same for every refusal. Null
   * when the body has none.
   */
  readonly message: string | null;
  readonly issues: readonly Issue[];
}

/**
 * Reads `{ message, errors: { field: [text, ...] } }`. The interface shows no error body; this is the form that
 * services of this family use, so everything in it is optional and anything else is ignored.
 */
export function readRefusal(json: unknown): Refusal {
  if (!isObject(json)) return { message: null, issues: [] };
  const issues = isObject(json.errors) ? readIssues(json.errors) : [];
  const general = textOf(json.message) ?? textOf(json.error);
  if (issues.length === 0) return { message: general, issues };
  const fields = issues.map(({ field, message }) => `${field}: ${message}`);
  // Some platforms repeat the first field's error as the general sentence.
  const more = general === null || issues.some(({ message }) => message === general) ? [] : [general];
  return { message: oneLine([clauses(fields), ...more].join(' ')), issues };
}

/** Several sentences as one, its parts set off by semicolons. */
function clauses(texts: readonly string[]): string {
  return `${texts.map((text) => text.replace(/[.;\s]+$/, '')).join('; ')}.`;
}

function readIssues(errors: Record<string, unknown>): Issue[] {
  const issues: Issue[] = [];
  for (const [field, texts] of Object.entries(errors)) {
    for (const text of Array.isArray(texts) ? (texts as unknown[]) : [texts]) {
      const message = textOf(text);
      if (message !== null) issues.push({ field: oneLine(field), code: 'refused', message });
      if (issues.length === MOST_ISSUES) return issues;
    }
  }
  return issues;
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? oneLine(value) : '';
  return text === '' ? null : text;
}

/** A JSON object, as opposed to an array or a bare value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
