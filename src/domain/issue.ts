/**
 * One error in one field of one record. `field` is the path in the body (`region.id`) or the row's column; `value` is
 * what was found, as text.
 */
export interface Issue {
  readonly field: string;
  readonly code:
    | 'required'
    | 'format'
    | 'type'
    | 'range'
    | 'unmapped'
    | 'undecided'
    | 'unknown-parent'
    | 'refused'
    // Of warnings: a value that is sent, and that is probably wrong.
    | 'doubtful'
    // A word that the interface does not know.
    | 'word'
    // A day or time that depends on a time zone which nobody stated.
    | 'zone';
  readonly message: string;
  readonly value?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

/** Longest value that is shown; the rest is cut. */
const VALUE_LENGTH = 60;

/** An issue as one line: field, error, and the value where the message does not show it. */
export function issueText({ field, message, value }: Pick<Issue, 'field' | 'message' | 'value'>): string {
  const begins = /^(is|are|means|must|has|was|does|cannot|may)\b/.test(message)
    ? `${field} ${message}`
    : `${field}: ${message}`;
  if (value === undefined || value.trim() === '' || message.includes(value)) return begins;
  const text = value.replace(/\s+/g, ' ');
  return `${begins} (value: ${text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text})`;
}
