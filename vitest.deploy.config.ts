import { defineConfig } from 'vitest/config';

/** What needs more than Node: `npm run test:deploy`, after `npm run build`. */
export default defineConfig({
  test: {
    include: ['test/deploy-tools/**/*.test.ts'],
    globalSetup: ['test/deploy-tools/check-tools.ts', 'test/postgres/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
