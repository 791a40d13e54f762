import { afterAll, beforeAll, expect, inject } from 'vitest';
import { startPgBouncer, type PgBouncer } from './start-pgbouncer.js';

/** PgBouncer for the tests of this file or block, as of `startPgBouncer`. Gives an address of a database through it. */
export function usePgBouncer(poolSize: number): PgBouncer['through'] {
  let pooler: PgBouncer | undefined;
  beforeAll(async () => {
    pooler = await startPgBouncer(inject('postgresUrl'), poolSize);
  });
  afterAll(async () => {
    if (!pooler) return;
    // A pooler that ended by itself was ended by what a test did.
    expect(pooler.log()).not.toContain('FATAL');
    await pooler.stop();
  });
  return (url) => {
    if (!pooler) throw new Error('PgBouncer runs while tests do.');
    return pooler.through(url);
  };
}
