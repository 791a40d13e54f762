import { entity as entityOf } from '../../entities/index.js';
import { DRAFTABLES } from './draftable.js';
import { tableTitle } from './column-sql.js';
import type { Candidate } from './candidate.js';

/** Why entities are not in the draft, for people. */
export function undraftedLines(
  drafted: ReadonlySet<string>,
  ranking: ReadonlyMap<string, readonly Candidate[]>,
): readonly string[] {
  const lines = DRAFTABLES.flatMap(({ name, entity, rival }) => {
    if (drafted.has(name)) return [];
    const first = ranking.get(name)?.[0];
    const child = entity.parent === null && rival !== undefined ? entityOf(rival).name : undefined;
    const without =
      child !== undefined && !ranking.has(child)
        ? ` No table looks like ${child}, which would name them.`
        : '';
    if (first === undefined) return [`${name}: no table looks like them.${without}`];
    if (first.taken === null) return [];
    return [
      `${name}: the likeliest table is ${tableTitle(first.table)}, which is drafted as ${first.taken}. One table is not taken twice unasked; init without --yes asks.${without}`,
    ];
  });
  return lines.length === 0 ? [] : ['', 'not drafted:', ...lines.map((line) => `  - ${line}`)];
}
