import type { ReadOnly } from '../catalog/with-read-only.js';
import { platformId } from '../../domain/key.js';

/** Namespace of the proposals themselves; never change it. */
const PROPOSALS = '0c5d4a3e-5f0b-4a55-9a0e-3f6f1f5a7b21';

/**
 * A value for `ids.namespace`: another one for each database, and the same each time, also on a replica. Null: the role
 * may not read the server's identifier.
 */
export async function proposeNamespace(read: ReadOnly, database: string): Promise<string | null> {
  const answer = await read.attempt<{ id: string }>(
    'select cast(system_identifier as text) as id from pg_catalog.pg_control_system()',
  );
  const id = 'rows' in answer ? answer.rows[0]?.id : undefined;
  return id === undefined ? null : platformId('database', `${id}/${database}`, PROPOSALS);
}
