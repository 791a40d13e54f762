import { z } from 'zod';
import type { LaneSetting } from '../../ports/tenants.js';
import { parseDuration } from '../duration.js';
import { choice, flag } from '../schema-walk.js';

const LANES = ['auto', 'sync', 'large'] as const satisfies readonly LaneSetting[];

/** All that one cron expression can describe with equal distances, also at midnight. */
const POSSIBLE = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((minutes) => `${minutes}m`),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => `${hours}h`),
  '1d',
] as const;

const LIST = `${POSSIBLE.slice(0, -1).join(', ')} or 1d`;

/** The block of a tenant's file that speaks to its fleet. Outside of a fleet it only makes `state.url` and `state.schema` required. */
export const tenantSettings = z
  .strictObject({
    period: period().optional().meta({
      description: 'Time between two runs of this tenant. Default: the value of fleet.period in fleet.yaml.',
    }),
    lane: choice(LANES).default('auto').meta({
      description:
        'Which slots run this tenant. `sync`: those of fleet.slots. `large`: those of fleet.largeSlots, so that it cannot hold up small tenants. `auto`: the fleet chooses, by how long the last runs took.',
    }),
    enabled: flag().default(true).meta({
      description: 'False: the fleet knows this tenant and does not run it.',
    }),
  })
  .transform(({ period: periodMs, ...rest }) => ({ ...rest, periodMs }))
  .optional()
  .meta({
    description:
      'How a fleet runs this tenant. For other commands it has no effect, but they need `state.url` and `state.schema` in a file with this block.',
  });

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
