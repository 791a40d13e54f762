import { uuidText } from '../../core/domain/key.js';
import { holdsList } from '../../core/entities/lookup.js';
import type { EntityQuery } from '../../core/ports/source.js';
import { inParentheses, prepareQuery } from '../../core/source/query.js';
import type { ReadOnly } from '../catalog/with-read-only.js';
import type { CodeCount } from './fill-lookup.js';

/** A column of a query that a lookup translates. */
export interface LookupUse {
  /** A name of the contract. */
  readonly column: string;
  /** A UUID in the column is an id of the platform already, and no code. */
  readonly takesIds: boolean;
  readonly query: Pick<EntityQuery, 'entity' | 'sql' | 'file'>;
}

/** Most codes of a column; more are no codes. */
const MOST_CODES = '10000';

/**
 * The codes that the rows have in these columns. Those of a list stay out: only the file has them. Errors: SyncError
 * `source-unavailable`, `interrupted`; those of a query that is none.
 */
export async function readCodes(
  { run }: Pick<ReadOnly, 'run'>,
  uses: readonly LookupUse[],
): Promise<readonly CodeCount[]> {
  const found: CodeCount[] = [];
  for (const { column, query, takesIds } of uses) {
    if (holdsList(column)) continue;
    const source = inParentheses(prepareQuery(query));
    const codes = await run<CodeCount>(
      `select cast(q.${column} as text) as code, cast(count(*) as integer) as count from ${source}
       where q.${column} is not null group by 1 order by 2 desc, 1 limit ${MOST_CODES}`,
    );
    found.push(...codes.filter(({ code }) => !takesIds || uuidText(code) === null));
  }
  return found;
}
