import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need kubectl, promtool and the npm registry, or a browser: `npm run test:deploy`, `npm run test:browser`.
    // Of the kills anywhere a few are here; hundreds, and the proof that they would notice, are `npm run test:chaos`.
    exclude: ['test/deploy-tools/**', 'test/browser/**', 'test/chaos/harness.test.ts', 'node_modules/**'],
    globalSetup: ['test/postgres/global-setup.ts'],
    // Integration files share one Postgres server and two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
