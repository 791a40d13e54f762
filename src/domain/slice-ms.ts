/**
 * How long a tenant of a fleet may send before it goes to the end of the line, and sweep in the lane of small ones. A run
 * that took as long is a long one. Milliseconds.
 */
export const SLICE_MS = 5 * 60_000;
