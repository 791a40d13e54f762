/**
 * The platform counts requests in any sliding second; three milliseconds more are for the rounding of timers and clocks
 * on both sides. Whoever takes over the sending keeps this distance to who sent before.
 */
export const QUIET_MS = 1_003;
