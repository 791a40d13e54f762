import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need kubectl, promtool and the npm registry, a browser, or a quarter of an hour: `npm run test:deploy`,
    // `test:browser`, `test:rate`.
    exclude: ['test/deploy-tools/**', 'test/browser/**', 'test/rate/full-load.test.ts', 'node_modules/**'],
    globalSetup: ['test/postgres/global-setup.ts'],
    // Integration files share one Postgres server and two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
