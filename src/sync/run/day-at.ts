import { platformTimestamp } from '../../contract/platform-timestamp.js';

/** `YYYY-MM-DD` in a zone. `now`: milliseconds since the Unix epoch. */
export function dayAt(now: number, timeZone: string): string {
  return platformTimestamp(now, timeZone).slice(0, 10);
}
