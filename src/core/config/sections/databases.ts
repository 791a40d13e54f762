import { z } from 'zod';
import {
  choice,
  duration,
  LONGEST_TIMER,
  postgresUrl,
  schemaName,
  timeZone,
  wholeNumber,
} from '../schema-walk.js';

/** The blocks `source`, `state` and `ids`. */

const POOL_MAX = wholeNumber({ min: 1, max: 100 });

export const sourceSettings = z
  .strictObject({
    url: postgresUrl().meta({
      description: 'The database with your records. A read-only role is enough; a replica works too.',
      env: 'SOURCE_DATABASE_URL',
      example: 'postgres://placement_sync_reader:password@db.example.com:5432/hr',
    }),
    poolMax: POOL_MAX.default(4).meta({ description: 'Maximum number of connections at a time.' }),
    // Postgres keeps statement_timeout as a 32-bit number of milliseconds.
    statementTimeout: duration({ max: LONGEST_TIMER })
      .prefault('10m')
      .meta({ description: 'A statement that takes longer is cancelled, and the entity fails.' }),
    timeZone: timeZone().nullable().default(null).meta({
      description:
        'Zone of its timestamps without time zone. Null: platform.timeZone is assumed, with a warning for each column in which a day or time depends on it.',
    }),
    sessionTimeZone: timeZone().nullable().default(null).meta({
      description:
        'Zone of the session in which your queries run: now(), current_date and comparisons of both kinds of timestamps depend on it. Null: the zone of the server, the database or the role, as in psql.',
    }),
    rowSecurity: choice(['refuse', 'allow']).default('refuse').meta({
      description:
        'What to do when row-level security would hide rows. `refuse`: the entity fails, because hidden rows look like deleted ones. `allow`: the worker reads only the rows that the role may see.',
    }),
    maxReplicaLag: duration().nullable().default(null).meta({
      description:
        'Where `url` is a replica: how far it may be behind its primary. An entity that is read from one further behind fails, and nothing of it is applied. Null: any time.',
    }),
  })
  .transform(({ statementTimeout, maxReplicaLag, ...rest }) => ({
    ...rest,
    statementTimeoutMs: statementTimeout,
    maxReplicaLagMs: maxReplicaLag,
  }));

export const stateSettings = z
  .strictObject({
    url: postgresUrl().optional().meta({
      description: 'The database of the worker’s own tables. Default: the value of source.url.',
      env: 'STATE_DATABASE_URL',
      example: 'postgres://placement_sync:password@db.example.com:5432/placement_sync',
    }),
    poolMax: POOL_MAX.default(8).meta({ description: 'Maximum number of connections at a time.' }),
    schema: schemaName().default('placement_sync').meta({
      description:
        'Schema of the worker’s tables. Each configuration needs its own, also a rehearsal against the sandbox.',
      env: 'PLACEMENT_SYNC_SCHEMA',
      example: 'placement_sync',
    }),
    leaseTtl: duration({ min: '2s', max: '1d' })
      .prefault('30s')
      .meta({ description: 'How long a run that died blocks the next one. At least 2s.' }),
    retention: duration().prefault('90d').meta({
      description:
        'How long the worker keeps the history of runs, and vanished records with nothing left to send.',
    }),
    deliveryRetention: duration().prefault('400d').meta({
      description:
        'How long the worker keeps the journal of what was sent, from which `report` and `explain` read, and the list of `actions`.',
    }),
    statusRetention: duration().nullable().prefault('180d').meta({
      description:
        'How long the worker keeps an application status after it was last sent, with its requests in the journal. It leaves only after its application left the inbox (`webhook.retention`): a row that your query still has is foreign then, and not sent again. With `requireInbox: false`, or null: for ever.',
    }),
  })
  .transform(({ leaseTtl, retention, deliveryRetention, statusRetention, ...rest }) => ({
    ...rest,
    leaseTtlMs: leaseTtl,
    retentionMs: retention,
    deliveryRetentionMs: deliveryRetention,
    statusRetentionMs: statusRetention,
  }));

export const idSettings = z.strictObject({
  namespace: z
    .uuid()
    .transform((value) => value.toLowerCase())
    .meta({
      type: 'a UUID',
      description:
        'Namespace of the platform ids that are made from keys that are not UUIDs. One per source database (`uuidgen` prints one). Never change it: every such record would be created a second time.',
      env: 'PLACEMENT_SYNC_NAMESPACE',
      // Not a usable value on purpose: partners who share a namespace would overwrite each other's records.
      example: '',
    }),
});
