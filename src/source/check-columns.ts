import { closest } from '../domain/closest.js';
import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';

/**
 * Checks the query's columns against the entity's row contract, all problems at once.
 * Errors: SyncError `column-contract` that names query, columns and cure.
 */
export function checkColumns(query: EntityQuery, found: readonly string[]): void {
  const known = query.columns.map(({ name }) => name);
  const problems = [
    ...new Set(found.filter((name, index) => found.indexOf(name) !== index)),
  ].map((name) => `column "${name}" is returned twice; give one of them another name or leave it out`);
  for (const name of new Set(found)) {
    if (known.includes(name)) continue;
    const near = closest(name, known);
    const cure = name === '?column?' ? 'give every expression a name with AS' : near ? `did you mean "${near}"?` : 'leave it out';
    problems.push(`column "${name}" is unknown; ${cure}`);
  }
  for (const { name, required } of query.columns) {
    if (required && !found.includes(name)) problems.push(`column "${name}" is missing and required; select it AS ${name}`);
  }
  if (problems.length === 0) return;
  throw new SyncError('column-contract', `${query.file}: the query of ${query.entity}: ${problems.join('. ')}.`, {
    scope: 'entity',
    hint: `The columns of ${query.entity} are: ${known.join(', ')}.`,
    details: { problems },
  });
}
