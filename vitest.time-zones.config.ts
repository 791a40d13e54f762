import { defineConfig } from 'vitest/config';
import { OPT_IN } from './test/opt-in.js';
import { projectOf, TIME_ZONES } from './test/time-zones.js';

/** The whole suite once in each zone: `npm run test:time-zones`; one of them: `-- --project America-St_Johns`. */
export default defineConfig({
  test: {
    globalSetup: ['test/postgres/global-setup.ts'],
    maxWorkers: 2,
    projects: TIME_ZONES.map((zone) => ({
      test: {
        name: projectOf(zone),
        include: ['test/**/*.test.ts'],
        exclude: OPT_IN,
        setupFiles: ['test/security/watch-output.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        env: { TZ: zone },
      },
    })),
  },
});
