import { uuidText } from '../domain/key/uuid-text.js';
import { foldCode } from './fold-code.js';
import type { Lookup } from './lookup.js';
import { fault } from './value/reading.js';
import type { Fault, Reading } from './value/reading.js';

/**
 * Turns the partner's code into what the platform knows.
 *
 * An entry of the code itself comes first, so that a partner whose own codes are UUIDs can map them; then, where
 * the platform wants a UUID, a code that is one passes, unless codes of the file are UUIDs: an unlisted one is then a
 * new code of the partner, which the platform would take for another id; then the entry `*` for every other code.
 * A UUID that passes and that nobody lists is doubtful: a partner whose keys are UUIDs may return such a key instead of
 * a code.
 *
 * @param idIsUuid whether the platform wants a UUID here, or a word
 * @param known what the platform's reference data has for the column; undefined: nothing is doubted
 * @returns the id (a UUID in lower case), or null when the entry says `-`: leave the field out. Faults: `unmapped`
 * without an entry, `undecided` with an empty one, `format` when the entry should be a UUID and is not.
 */
export function lookupCode(
  code: string,
  lookup: Lookup,
  idIsUuid: boolean,
  known?: ReadonlySet<string>,
): Reading<string | null> {
  const own = lookup.entries.get(foldCode(code));
  const passing =
    own === undefined && idIsUuid && lookup.codesAreUuids !== true ? uuidText(code.trim()) : null;
  if (passing !== null) {
    const isListed = known === undefined || known.has(passing) || lookup.ids?.has(passing) === true;
    return isListed ? { value: passing } : { value: passing, warning: unlisted(lookup) };
  }
  const id = own ?? lookup.entries.get('*');
  const shown = JSON.stringify(code.trim().slice(0, 80));
  if (id === undefined) {
    return fault(
      'unmapped',
      `the code ${shown} is not in ${lookup.file}`,
      `Add the code ${shown} to ${lookup.file}.`,
    );
  }
  if (id === '') {
    return fault(
      'undecided',
      `the code ${shown} has no id in ${lookup.file} yet`,
      undecidedHint(shown, lookup),
    );
  }
  if (id === '-') return { value: null };
  if (!idIsUuid) return { value: id };
  const uuid = uuidText(id);
  if (uuid !== null) return { value: uuid };
  return fault(
    'format',
    `the id of the code ${shown} in ${lookup.file} is not a UUID`,
    `Correct it in ${lookup.file}.`,
  );
}

/** Without the UUID, so that all of a column are one group. */
function unlisted({ file }: Lookup): Fault {
  return {
    code: 'doubtful',
    message: `is a UUID that is neither in ${file} nor in the platform's reference data, and is sent as it is`,
    hint: `If it is a code of your own, add it to ${file} with the platform's id. If it is a new id of the platform, leave it.`,
  };
}

/** A file that another entity shares refuses `-` if that one must fill the column. */
function undecidedHint(shown: string, { file, dashRefused }: Lookup): string {
  const fill = `Fill in the id of the code ${shown} in ${file}`;
  if (!dashRefused) return `${fill}, or put - to leave the field out.`;
  const { entity, column, wayOut } = dashRefused;
  const own = `${fill}. To leave the field out with -, use a file of its own: ${file} refuses - because ${entity} require ${column}.`;
  return wayOut === null ? own : `${own} ${wayOut}.`;
}
