import type { StateDatabase, Parameters } from './state-database.js';
import { randomUUID } from 'node:crypto';
import { translateStateError } from './translate-state-error.js';

/**
 * Pages of a SELECT by DECLARE and FETCH in one transaction. A cursor of the driver would hang for ever when the
 * backend dies in the middle; a FETCH that fails rejects.
 */
export async function* fetchPages<T>(
  database: StateDatabase,
  sql: string,
  parameters: Parameters,
  pageSize: number,
): AsyncGenerator<T[]> {
  const cursor = `pages_${randomUUID().replaceAll('-', '')}`;
  const trx = await database.knex.transaction().catch((error: unknown) => {
    throw translateStateError(error, '');
  });
  try {
    const raw = (statement: string, values: Parameters = {}) =>
      trx.raw<{ rows: T[] }>(statement, { ...values, schema: database.schema });
    await raw(`declare ${cursor} no scroll cursor for ${sql}`, parameters);
    for (;;) {
      const { rows } = await raw(`fetch forward ${pageSize} from ${cursor}`);
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) break;
    }
  } catch (error) {
    throw translateStateError(error, '');
  } finally {
    await trx.rollback().catch(() => undefined);
  }
}
