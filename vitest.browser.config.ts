import { defineConfig } from 'vitest/config';

/** Tests that need a browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/postgres/global-setup.ts', 'test/browser/check-browser.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
