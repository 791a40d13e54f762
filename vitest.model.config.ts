import { defineConfig } from 'vitest/config';

/** The whole budgets of the model: `npm run test:model`, some minutes and about a gigabyte of memory. */
export default defineConfig({
  test: {
    include: ['test/model/whole-budgets.test.ts'],
    maxWorkers: 1,
    testTimeout: 3_600_000,
  },
});
