import { defineConfig } from 'vitest/config';

/** Both databases behind PgBouncer: `npm run test:pgbouncer`. */
export default defineConfig({
  test: {
    include: ['test/pgbouncer/**/*.test.ts'],
    globalSetup: ['test/pgbouncer/check-pgbouncer.ts', 'test/postgres/global-setup.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
