import { migrate } from '../../src/state/database/migrate.js';
import { createStateDatabase } from '../../src/state/database/state-database.js';
import { cloneFilled } from './clone-filled.js';
import type { TestDatabase } from './test-database.js';

/** A database whose schema `placement_sync` is migrated, and that has nothing else. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  return await cloneFilled('migrated', async ({ url }) => {
    const state = createStateDatabase({ url, poolMax: 1, schema: 'placement_sync' });
    try {
      await migrate(state);
    } finally {
      await state.close();
    }
  });
}
