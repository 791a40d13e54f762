import { MIGRATIONS, type SchemaMigration } from '../../../migrations/all.js';

/** What a schema is for: a ledger, or the table of a fleet. */
export interface SchemaKind {
  readonly migrations: readonly SchemaMigration[];
  /** Whether it has the view of records. */
  readonly recordView: boolean;
  /** The setting with its name. */
  readonly setting: string;
  /** The command that migrates it. */
  readonly command: string;
}

export const LEDGER: SchemaKind = {
  migrations: MIGRATIONS,
  recordView: true,
  setting: 'state.schema',
  command: 'placement-sync migrate',
};
