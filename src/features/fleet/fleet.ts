import { createHash } from 'node:crypto';

/** The schema of a fleet's engine, beside `fleet.schema`. Nothing else may be in it. */
export function engineSchema(fleetSchema: string): string {
  return `${fleetSchema}_jobs`;
}

/**
 * How long a tenant of a fleet may send before it goes to the end of the line, and sweep in the lane of small ones. A run
 * that took as long is a long one. Milliseconds.
 */
export const SLICE_MS = 5 * 60_000;

/** The name of the fleet's own database among those of the ledgers. */
export const OWN_LEDGER = 'fleet';

/**
 * Which of these databases gets the ledger of a new tenant (rendezvous hashing): their order does not count, and one more
 * takes its share of the tenants from all others alike. Without any it is the fleet's own.
 */
export function placeTenant(tenant: string, ledgers: readonly string[]): string {
  const weight = (ledger: string) => createHash('sha256').update(`${ledger} ${tenant}`).digest('hex');
  const weighed = ledgers.map((ledger) => ({ ledger, weight: weight(ledger) }));
  return weighed.reduce((best, each) => (each.weight > best.weight ? each : best), {
    ledger: OWN_LEDGER,
    weight: '',
  }).ledger;
}

/** A tenant that may have ended so many replicas in a row runs alone from then on. */
export const SUSPECT_ENDS = 2;

/**
 * It did nothing, because the ledger is at the version of another program than the replica's: an update of the fleet is
 * under way. Its message says which is older.
 */
export const OTHER_VERSION = 'other-version';
