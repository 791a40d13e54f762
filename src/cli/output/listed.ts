/** Changes listed for people without --limit. */
export const LISTED = 50;
