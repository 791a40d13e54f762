import { FLEET_MIGRATIONS } from '../../../migrations/fleet/all.js';
import type { SchemaKind } from '../database/schema-kind.js';

/** The fleet's own schema, for `migrate` and `pendingMigrations`. */
export const FLEET_SCHEMA: SchemaKind = {
  migrations: FLEET_MIGRATIONS,
  recordView: false,
  setting: 'fleet.schema',
  command: 'placement-sync fleet migrate',
};
