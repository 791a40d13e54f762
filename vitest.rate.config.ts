import { defineConfig } from 'vitest/config';

/** The rate limit at full load for a minute each, on a machine with little else to do: `npm run test:rate`. */
export default defineConfig({
  test: {
    include: ['test/rate/full-load.test.ts'],
    // Each has a server and a client process, and the busiest need a core between them.
    maxConcurrency: 3,
    testTimeout: 600_000,
  },
});
