/**
 * One error in one field of one record. It keeps what a rule found as fields; the texts are made of them where they are
 * shown. `field` is the path in the body (`region.id`) or the row's column; `value` is what was found, as text.
 */
export interface Issue {
  readonly field: string;
  /** The column of the query, where it is not called like the field. */
  readonly column?: string | undefined;
  readonly code:
    | 'required'
    | 'format'
    | 'type'
    | 'range'
    | 'unmapped'
    | 'undecided'
    | 'refused'
    // Of warnings: a value that is sent, and that is probably wrong.
    | 'doubtful'
    // A word that the interface does not know.
    | 'word'
    // A day or time that depends on a time zone which nobody stated.
    | 'zone';
  readonly message: string;
  /** The message without what differs from record to record. Absent: it is the same for all. */
  readonly common?: string | undefined;
  readonly value?: string | undefined;
  /** What to do about it. Of a code without an id only where: `to reference/cities.csv.` */
  readonly hint?: string | undefined;
  readonly lookup?: CodeWithoutId | undefined;
}

/** The partner's code that a lookup has no id for. */
export interface CodeWithoutId {
  /** Cut when it is very long. */
  readonly code: string;
  readonly todo: keyof typeof BEGINS;
  /** Where its id is filled in; left out: not known. */
  readonly file?: string | undefined;
}

/** How the hint about a code without an id begins: for its record, behind the code, and for several codes. */
const BEGINS = {
  add: { record: 'Add the code CODE', one: 'Add it', many: 'Add them' },
  fill: { record: 'Fill in the id of the code CODE', one: 'Fill in its id', many: 'Fill in the ids' },
  'fill-required': { record: 'Fill in the id', one: 'Fill in the id', many: 'Fill in the ids' },
};

/** What to do about an issue, as a sentence. */
export function hintOf<Hint extends string | null | undefined>(
  { hint, lookup }: { readonly hint: Hint; readonly lookup?: CodeWithoutId | undefined },
  of: 'record' | 'one' | 'many',
): Hint | string {
  if (!lookup || !hint) return hint;
  const begin = BEGINS[lookup.todo][of].replace('CODE', () => JSON.stringify(lookup.code));
  return `${begin} ${hint}`;
}

/** The message, which names the column where it is not called like the field. */
export function messageOf({ message, column }: Pick<Issue, 'message' | 'column'>): string {
  return column === undefined ? message : `${message} (column ${column})`;
}

/** An issue as JSON documents have it: with its texts, without what they are made of. */
export function shownIssue(issue: Issue): Issue {
  const { column: _column, common: _common, lookup, ...shown } = issue;
  return { ...shown, message: messageOf(issue), hint: hintOf({ hint: issue.hint, lookup }, 'record') };
}

/** Longest value that is shown; the rest is cut. */
const VALUE_LENGTH = 60;

/** An issue as one line: field, error, and the value where the message does not show it. */
export function issueText(issue: Pick<Issue, 'field' | 'column' | 'message' | 'value'>): string {
  const { field, value } = issue;
  const message = messageOf(issue);
  const begins = /^(is|are|means|must|has|was|does|cannot|may)\b/.test(message)
    ? `${field} ${message}`
    : `${field}: ${message}`;
  if (value === undefined || value.trim() === '' || message.includes(value)) return begins;
  const text = value.replace(/\s+/g, ' ');
  return `${begins} (value: ${text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text})`;
}
