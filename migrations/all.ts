import type { Knex } from 'knex';
import * as state from './0001-state.js';

/** A migration of the state schema. Its name is stored when it has run: never rename one. */
export interface SchemaMigration {
  readonly name: string;
  up(knex: Knex, schema: string): Promise<void>;
  down(knex: Knex, schema: string): Promise<void>;
}

/** In the order in which they run. */
export const MIGRATIONS: readonly SchemaMigration[] = [{ name: '0001-state', ...state }];
