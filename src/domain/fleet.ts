/** The schema of a fleet's engine, beside `fleet.schema`. Nothing else may be in it. */
export function engineSchema(fleetSchema: string): string {
  return `${fleetSchema}_jobs`;
}

/**
 * How long a tenant of a fleet may send before it goes to the end of the line, and sweep in the lane of small ones. A run
 * that took as long is a long one. Milliseconds.
 */
export const SLICE_MS = 5 * 60_000;
