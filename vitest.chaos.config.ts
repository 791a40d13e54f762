import { defineConfig } from 'vitest/config';

/** Hundreds of kills of the built process: `npm run test:chaos`, after `npm run build`. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/postgres/global-setup.ts'],
    env: {
      CHAOS_KILLS: process.env.CHAOS_KILLS ?? '380',
      CHAOS_WORKER_KILLS: process.env.CHAOS_WORKER_KILLS ?? '30',
    },
    // The line of a progress is worth more than its colour.
    disableConsoleIntercept: true,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
