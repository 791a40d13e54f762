import { defineConfig } from 'vitest/config';
import { projectOf, TIME_ZONES, ZONE_TESTS } from './test/time-zones.js';

const common = { testTimeout: 60_000, hookTimeout: 120_000, setupFiles: ['test/security/watch-output.ts'] };
// They need kubectl, promtool and the npm registry, or a browser: `npm run test:deploy`, `npm run test:browser`.
const elsewhere = ['test/deploy-tools/**', 'test/browser/**', 'node_modules/**'];

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
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, ...ZONE_TESTS],
        },
      },
      // What depends on the zone of the process runs in three; the whole suite does by `npm run test:time-zones`.
      ...TIME_ZONES.map((zone) => ({
        test: { ...common, name: projectOf(zone), include: ZONE_TESTS, env: { TZ: zone } },
      })),
    ],
  },
});
