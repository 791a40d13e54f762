import type { Knex } from 'knex';
import { createKnexClient } from './knex-client.js';

export interface KnexOptions {
  /** postgres:// URL. */
  readonly url: string;
  /** Of one statement, milliseconds. */
  readonly answerTimeoutMs: number;
  /** Called with each connection that is made. */
  readonly onConnection: (connection: unknown) => void;
}

/** knex would print warnings on standard output, which is for results. Real errors are thrown too. */
const SILENT = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/**
 * knex on one connection of its own, which is closed at the end. Loaded when it is needed: it is a third of all modules of
 * a run, and only migrations use it.
 */
export async function withKnex<T>(
  { url, answerTimeoutMs, onConnection }: KnexOptions,
  use: (knex: Knex) => Promise<T>,
): Promise<T> {
  const { default: knexModule } = await import('knex');
  const knex = knexModule.default({
    client: createKnexClient(knexModule.default),
    // Without it knex reads it outside our transactions, by the unqualified name of a function. The oldest supported
    // version; only knex's own column types depend on it.
    version: '13',
    connection: {
      connectionString: url,
      application_name: 'placement-sync',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      query_timeout: answerTimeoutMs,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: 1,
      afterCreate(connection: unknown, done: (error: Error | null, connection: unknown) => void) {
        onConnection(connection);
        done(null, connection);
      },
    },
    acquireConnectionTimeout: 30_000,
    log: SILENT,
  });
  try {
    return await use(knex);
  } finally {
    await knex.destroy();
  }
}
