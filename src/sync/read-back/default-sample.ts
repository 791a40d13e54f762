/** Records of each entity that are read back when nobody says how many. */
export const DEFAULT_SAMPLE = 100;
