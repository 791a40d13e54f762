/** How one field compared in the records that were read back. */
export interface FieldCounts {
  readonly compared: number;
  readonly drifted: number;
  /** Drifted ones of which the platform shows nothing in the field. */
  readonly empty: number;
  /** Compared ones with nothing on either side: they say nothing about how the platform shows the field. */
  readonly silent: number;
}

/** From so many records on, most of them are a pattern. */
const ENOUGH = 3;

/**
 * Whether a difference says more about how the platform shows a field than about its records: it shows nothing in it for
 * any of several, or most of them differ in it. Sending them again would change nothing. Pure.
 *
 * @param wentBack the ledger went back in time, so that many records may differ in the same field
 */
export function isDoubted(counts: FieldCounts, wentBack = false): boolean {
  const { compared, drifted } = counts;
  return isUnshown(counts) || (!wentBack && compared >= ENOUGH && drifted * 2 > compared);
}

/**
 * Whether the platform shows nothing in a field for any of several records that have a value: then it shows the field to
 * nobody, and a record that differs only there does not count as different. Pure.
 */
export function isUnshown({ compared, empty, silent }: FieldCounts): boolean {
  return empty > 1 && empty === compared - silent;
}
