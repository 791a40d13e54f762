import { findPgBouncer } from './start-pgbouncer.js';

/** Stops before the first test when the pooler is missing, with the one command that installs it. */
export default function checkPgBouncer(): void {
  if (findPgBouncer() !== null) return;
  throw new Error(
    'test:sources needs pgbouncer. On Debian: apt-get install -y --no-install-recommends pgbouncer',
  );
}
