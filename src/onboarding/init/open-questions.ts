import { draftable } from './draftable.js';
import { missingTargets, type DraftQuery } from './draft-query.js';

/**
 * The questions of a draft that stand at no line of its query: important columns that were not found, and what the table
 * leaves open.
 *
 * @param ofTable questions about the table
 */
export function openQuestions(query: DraftQuery, ofTable: readonly string[]): readonly string[] {
  const missing = missingTargets(query, draftable(query.entity).wanted).map(
    (target) =>
      `${target} was not found. If the database has it, write its SQL into the select list, followed by "as ${target}"; else delete this line`,
  );
  return [...missing, ...ofTable];
}
