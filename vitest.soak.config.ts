import { defineConfig } from 'vitest/config';

/** Hours in minutes: `npm run test:soak` (20 minutes; `SOAK_MINUTES=2` for a short one). */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts'],
    globalSetup: ['test/postgres/global-setup.ts'],
    maxWorkers: 1,
    // The minutes themselves, and those that the end may take.
    testTimeout: (Number(process.env.SOAK_MINUTES ?? 20) + 10) * 60_000,
    hookTimeout: 120_000,
  },
});
