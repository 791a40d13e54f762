import { defineConfig } from 'vitest/config';
import { OPT_IN } from './test/opt-in.js';
import { projectOf, TIME_ZONES, ZONE_TESTS } from './test/time-zones.js';

const common = { testTimeout: 60_000, hookTimeout: 120_000, setupFiles: ['test/security/watch-output.ts'] };

export default defineConfig({
  test: {
    globalSetup: ['test/postgres/global-setup.ts'],
    // Integration files share one Postgres server and two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'suite',
          // Files after each other in one process: loading the modules anew for each took a fifth of the time. None
          // leaves anything behind; `--isolate` shows whether one needs what another left.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...OPT_IN, ...ZONE_TESTS],
        },
      },
      // What depends on the zone of the process runs in three; the whole suite does by `npm run test:time-zones`.
      ...TIME_ZONES.map((zone) => ({
        test: { ...common, name: projectOf(zone), include: ZONE_TESTS, env: { TZ: zone } },
      })),
    ],
  },
});
