import { DRAFTABLES } from './draftable.js';
import type { Candidate } from './candidate.js';

/**
 * No table is likeliest for two entities. The one whose records below were found keeps it, of two such the one with the higher
 * score. The other takes the next table that its own records name; where there is none, its candidates begin with the
 * taken one, which only a person may choose.
 */
export function oneEntityEach(
  ranking: ReadonlyMap<string, readonly Candidate[]>,
): ReadonlyMap<string, readonly Candidate[]> {
  const result = new Map(ranking);
  for (const [entity, candidates] of ranking) {
    const [first] = candidates;
    if (!first) continue;
    const owner = [...result].find(
      ([other, [theirs]]) =>
        other !== entity &&
        theirs?.table.oid === first.table.oid &&
        isBefore(other, theirs, entity, first, ranking),
    )?.[0];
    if (owner === undefined) continue;
    const others = candidates.slice(1);
    const taken = candidates.filter(({ table }) => table.oid === first.table.oid);
    const marked = taken.map((candidate): Candidate => ({ ...candidate, taken: owner }));
    const linked = others.filter((candidate) => candidate.linked);
    const rest = others.filter((candidate) => !candidate.linked);
    result.set(entity, linked.length > 0 ? [...linked, ...rest, ...marked] : [...marked, ...rest]);
  }
  return result;
}

function isBefore(
  one: string,
  mine: Candidate,
  other: string,
  theirs: Candidate,
  ranking: ReadonlyMap<string, readonly Candidate[]>,
): boolean {
  const rank = (entity: string, { score }: Candidate): readonly number[] => [
    hasRecordsBelow(entity, ranking) ? 1 : 0,
    score,
    -DRAFTABLES.findIndex(({ name }) => name === entity),
  ];
  const [a, b] = [rank(one, mine), rank(other, theirs)];
  const at = a.findIndex((value, place) => value !== b[place]);
  return (a[at] ?? 0) > (b[at] ?? 0);
}

/** A child stands for itself. */
function hasRecordsBelow(entity: string, ranking: ReadonlyMap<string, readonly Candidate[]>): boolean {
  const found = DRAFTABLES.find(({ name }) => name === entity);
  if (found && found.entity.parent !== null) return true;
  return found?.rival !== undefined && ranking.has(found.rival);
}
