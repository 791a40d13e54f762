import type { Catalog } from '../../catalog/catalog.js';
import type { ReadOnly } from '../../catalog/with-read-only.js';
import type { QueryColumn } from '../../../core/source/query.js';
import type { DoctorSettings } from '../facts.js';
import type { DoctorEntity } from '../finding.js';
import type { QueryShape } from '../sql/query-shape.js';

/** What every reader of an entity gets. */
export interface InspectContext {
  readonly read: ReadOnly;
  readonly entity: DoctorEntity;
  readonly shape: QueryShape;
  /** The partner's query in parentheses, as `q`. */
  readonly from: string;
  /** What it returns. */
  readonly columns: readonly QueryColumn[];
  readonly catalog: Catalog;
  readonly settings: DoctorSettings;
}

/** Rows of a statement of which a refusal ends one fact and not the transaction. Errors: one with the server's cause. */
export async function attempted<T extends Record<string, unknown>>(
  read: Pick<ReadOnly, 'attempt'>,
  text: string,
  values?: readonly unknown[],
): Promise<readonly T[]> {
  const answer = await read.attempt<T>(text, values);
  if ('rows' in answer) return answer.rows;
  const { sqlstate, message } = answer.refused;
  throw new Error(
    sqlstate === '57014' ? 'it took too long' : `${withoutValue(sqlstate, message)} (${sqlstate})`,
  );
}

/** An error about data quotes a value of a row. */
function withoutValue(sqlstate: string, message: string): string {
  return sqlstate.startsWith('22') ? 'a value of some row does not fit the query' : message;
}

/** Sets a parameter of the session for the rest of the transaction. */
export async function setParameter(read: Pick<ReadOnly, 'run'>, name: string, value: string): Promise<void> {
  await read.run(`select pg_catalog.set_config($1, $2, true)`, [name, value]);
}
