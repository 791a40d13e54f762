/** How one field compared in the records that were read back. */
export interface FieldCounts {
  readonly compared: number;
  readonly drifted: number;
  /** Drifted ones of which the platform shows nothing in the field. */
  readonly empty: number;
}

/** From so many records on, most of them are a pattern. */
const ENOUGH = 3;

/**
 * Whether a difference says more about how the platform shows a field than about its records: it shows nothing in it for
 * any of several, or most of them differ in it. Sending them again would change nothing. Pure.
 *
 * @param wentBack the ledger went back in time, so that many records may differ in the same field
 */
export function isDoubted({ compared, drifted, empty }: FieldCounts, wentBack = false): boolean {
  if (compared > 1 && empty === compared) return true;
  return !wentBack && compared >= ENOUGH && drifted * 2 > compared;
}
