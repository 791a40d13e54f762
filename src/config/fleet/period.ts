import { z } from 'zod';
import { parseDuration } from '../duration.js';

/** All that one cron expression can describe with equal distances, also at midnight. */
const POSSIBLE = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((minutes) => `${minutes}m`),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => `${hours}h`),
  '1d',
] as const;

const LIST = `${POSSIBLE.slice(0, -1).join(', ')} or 1d`;

/**
 * Time between two runs, such as `10m`; becomes milliseconds. Whole minutes that divide an hour, whole hours that divide
 * a day, or a day, because the fleet's queue keeps its schedules as cron expressions.
 */
export function period() {
  const possible = POSSIBLE.map(parseDuration);
  return z
    .string()
    .transform((value, context) => {
      const ms = parseDuration(value);
      if (ms !== null && possible.includes(ms)) return ms;
      context.issues.push({ code: 'custom', message: `must be ${LIST}`, input: value });
      return z.NEVER;
    })
    .meta({ type: 'a duration that divides an hour or a day such as 10m, 1h or 1d' });
}
