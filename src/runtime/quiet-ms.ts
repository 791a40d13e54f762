/**
 * The platform counts requests in any sliding second; three more milliseconds cover rounding of timers and clocks on both
 * sides. A process that takes over the sending waits this long after the last request of the other one.
 */
export const QUIET_MS = 1_003;
