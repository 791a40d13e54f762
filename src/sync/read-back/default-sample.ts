/** Records of each entity that `verify` reads back by default. */
export const DEFAULT_SAMPLE = 100;
