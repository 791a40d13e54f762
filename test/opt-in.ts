/** What the default suite leaves out: it needs more than Node, or more than minutes. Each has an npm script of its own. */
export const OPT_IN = [
  // test:deploy: kubectl, promtool and the npm registry
  'test/deploy-tools/**',
  // test:browser: a browser
  'test/browser/**',
  // test:pgbouncer: PgBouncer
  'test/pgbouncer/**',
  // test:chaos: hundreds of kills, and the proof that they would notice; a few kills are in the suite
  'test/chaos/harness.test.ts',
  // test:soak: twenty minutes
  'test/soak/**',
  // test:rate: a quarter of an hour at full load
  'test/rate/full-load.test.ts',
  // test:model: every state within the whole budgets
  'test/model/whole-budgets.test.ts',
  'node_modules/**',
];
