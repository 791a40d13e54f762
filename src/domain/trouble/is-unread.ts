import { stopsArea } from './area-troubles.js';

/** Whether an entity with this error was not read by the run: its counters of the source mean nothing. Pure. */
export function isUnread(error: { readonly code: string } | null): boolean {
  return error !== null && !stopsArea(error.code);
}
