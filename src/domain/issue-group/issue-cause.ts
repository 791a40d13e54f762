import type { Issue } from '../issue.js';
import { withoutParticulars } from './without-particulars.js';

/** What several records may share. */
export interface Cause {
  readonly field: string | null;
  readonly code: string;
  /** As the record has it. */
  readonly message: string;
  /** The message without the parts in which records differ: records of one cause have the same. */
  readonly common: string;
  readonly hint: string | null;
}

/** Of issues that an entry in a lookup fixes. */
export const LOOKUP_CODES: readonly string[] = ['unmapped', 'undecided'];

const COLUMN = / \(column ([^()]+)\)$/;
const CODE = /^the code ("(?:[^"\\]|\\.)*") /;

/**
 * What an issue has in common with those of other records. It names the column, because that is what a person corrects.
 * The code of a lookup stays: each needs an id of its own. Pure.
 */
export function issueCause({
  field,
  code,
  message,
  hint,
}: Pick<Issue, 'field' | 'code' | 'message' | 'hint'>): Cause {
  const column = COLUMN.exec(message)?.[1];
  const text = message.replace(COLUMN, '');
  const known = LOOKUP_CODES.includes(code) ? CODE.exec(text)?.[1] : undefined;
  const named = { field: column ?? field, code };
  if (known === undefined) {
    return {
      ...named,
      message: text,
      common: withoutParticulars(text),
      hint: hint ?? usualHint(code, named.field),
    };
  }
  const said = `code ${known} has no id`;
  return { ...named, message: said, common: said, hint: shortHint(hint, known) };
}

/** The hint of a lookup names the code once more. */
function shortHint(hint: string | undefined, code: string): string | null {
  if (hint === undefined) return null;
  return hint.replaceAll(`the id of the code ${code}`, 'its id').replaceAll(`the code ${code}`, 'it');
}

function usualHint(code: string, field: string): string | null {
  return code === 'required' ? `Return ${field} from the query.` : null;
}
