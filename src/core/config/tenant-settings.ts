import { z } from 'zod';
import { choice, duration, flag } from './schema-walk.js';

const LANES = ['auto', 'sync', 'large'] as const;

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

/** Time between two runs, such as `10m`; becomes milliseconds. */
export function period() {
  return duration({ min: '1m', max: '30d' });
}
