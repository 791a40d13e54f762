import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need kubectl, promtool and the npm registry, a browser, or PgBouncer: `npm run test:deploy`,
    // `npm run test:browser`, `npm run test:pgbouncer`.
    exclude: ['test/deploy-tools/**', 'test/browser/**', 'test/pgbouncer/**', 'node_modules/**'],
    globalSetup: ['test/postgres/global-setup.ts'],
    // Integration files share one Postgres server and two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
