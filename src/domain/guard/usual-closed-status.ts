/** The default of `closedStatus`. */
export const USUAL_CLOSED_STATUS = 'closed';
