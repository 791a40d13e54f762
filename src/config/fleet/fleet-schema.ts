import { z } from 'zod';
import { engineSchema } from '../../domain/fleet.js';
import { httpSettings, loggingSettings } from '../sections/service.js';
import { postgresUrl, schemaName, wholeNumber } from '../setting-types.js';
import { period } from './period.js';

/** The engine takes names of 50 characters, and its schema is this name with `_jobs`. */
const MAX_SCHEMA = 50 - engineSchema('').length;

const databaseSettings = z.strictObject({
  url: postgresUrl().meta({
    description:
      'The database with the table of tenants and the queue of jobs. All replicas use the same one.',
    env: 'FLEET_DATABASE_URL',
    example: 'postgres://placement_sync:password@db.example.com:5432/placement_sync',
  }),
  poolMax: wholeNumber({ min: 1, max: 100 }).default(4).meta({
    description:
      'Maximum number of connections at a time, of each replica, for the fleet’s own tables. The ledgers in this database have others: one for each slot, and four more.',
  }),
});

const fleetSettings = z
  .strictObject({
    database: databaseSettings,
    schema: schemaName({ max: MAX_SCHEMA })
      .default('placement_sync_fleet')
      .meta({
        description: `Schema of the fleet’s tables, at most ${MAX_SCHEMA} characters. Its name with \`_jobs\` is the schema of the queue. No tenant may use one of the two for its own.`,
      }),
    slots: wholeNumber({ min: 1, max: 100 })
      .default(8)
      .meta({ unit: 'tenants', description: 'How many tenants a replica runs at a time.' }),
    largeSlots: wholeNumber({ min: 1, max: 100 })
      .default(2)
      .meta({ unit: 'tenants', description: 'How many large tenants a replica runs beside them.' }),
    period: period().prefault('10m').meta({
      description:
        'Time between two runs of a tenant whose own file does not say otherwise (`tenant.period`).',
    }),
    rateLimits: z
      .record(z.string(), wholeNumber({ min: 1 }))
      .prefault({})
      .meta({
        type: 'a block of client id: number',
        unit: 'requests per second',
        description:
          'Maximum number of requests in any second with this client id, by all tenants and replicas together; at each platform separately. For a client id that is not named here, the `ratePerSecond` of the tenant’s area counts.',
      }),
    sharedVariables: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable, without ${ and }'))
      .default([])
      .meta({
        type: 'a list of names such as PLATFORM_CLIENT_SECRET',
        description:
          'Variables that every tenant’s file may use, such as the credential that all of them have. Any other must begin with the tenant’s name: `ACME_WEST_` for `acme-west`. A variable that this file itself uses is for no tenant.',
      }),
  })
  .transform(({ period: periodMs, ...rest }) => ({ ...rest, periodMs }));

/** Every setting of fleet.yaml. Durations come out in milliseconds under names that end in `Ms`. */
export const fleetSchema = z.strictObject({
  fleet: fleetSettings.meta({ description: 'Where the tenants are, and how they share the replicas.' }),
  http: httpSettings,
  logging: loggingSettings,
});

/** All settings of fleet.yaml with defaults filled in. */
export type FleetSettings = z.output<typeof fleetSchema>;
