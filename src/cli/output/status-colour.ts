import type { Colour } from './colours.js';

/** The colour of a record's status, as the dashboard has it; null: none, or no status. Pure. */
export function statusColour(status: string): Colour | null {
  if (status === 'rejected' || status === 'invalid') return 'red';
  return status === 'deferred' || status === 'waiting' ? 'yellow' : null;
}
