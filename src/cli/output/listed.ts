/** Changes listed for people when nobody says how many. */
export const LISTED = 50;
