import { closest } from '../domain/closest.js';
import { SyncError } from '../domain/errors.js';
import type { EntityQuery } from '../ports/source.js';

/** The two columns that stand for the key of an application status when the query has no `key`. */
export const SUBSTITUTE_KEY = ['vacancy_key', 'email'] as const;

/**
 * Compares the columns that a query returns with those it may return. Pure.
 *
 * Errors: one SyncError `column-contract` of scope `entity` with every problem: columns without a name, doubled,
 * unknown (with the closest known name) and missing required ones. `key` may be missing only where the contract
 * has `vacancy_key` and `email` and the query returns both.
 */
export function checkColumns(query: EntityQuery, names: readonly string[]): void {
  const known = query.columns.map((column) => column.name);
  const has = (name: string) => names.includes(name);
  const problems: string[] = [];
  const report = (problem: string) => {
    if (!problems.includes(problem)) problems.push(problem);
  };

  names.forEach((name, index) => {
    if (name === '?column?') {
      report(`column ${index + 1} has no name (give it one: … as name)`);
    } else if (names.indexOf(name) !== index) {
      report(`column "${name}" appears twice (leave one out)`);
    } else if (!known.includes(name)) {
      const near = closest(
        name,
        known.filter((candidate) => !has(candidate)),
      );
      report(`column "${name}" is unknown (${near === null ? 'leave it out' : `did you mean "${near}"?`})`);
    }
  });

  const substitutable = SUBSTITUTE_KEY.every((name) => known.includes(name));
  const substituted = substitutable && SUBSTITUTE_KEY.every(has);
  if (!has('key') && !substituted) {
    const alternative = substitutable
      ? `, or the columns ${SUBSTITUTE_KEY.map((name) => `"${name}"`).join(' and ')},`
      : '';
    report(`the required column "key"${alternative} is missing`);
  }
  const waysOut: string[] = [];
  for (const { name, required, wayOut } of query.columns) {
    if (!required || name === 'key' || has(name)) continue;
    report(`the required column "${name}" is missing`);
    if (wayOut !== undefined) waysOut.push(`${wayOut}.`);
  }

  if (problems.length === 0) return;
  throw new SyncError(
    'column-contract',
    `The query of ${query.entity} (${query.file}) does not return the columns of ${query.entity}: ${problems.join('; ')}.`,
    {
      scope: 'entity',
      hint: [
        `Correct the select list in ${query.file}. The columns of ${query.entity} are: ${known.join(', ')}.`,
        ...waysOut,
      ].join(' '),
      details: { entity: query.entity, file: query.file, problems },
    },
  );
}
