import { z } from 'zod';
import { USUAL_CLOSED_STATUS, type VanishedPolicy } from '../../domain/guard.js';
import type { Entity } from '../../entities/entity.js';
import { childrenOf, ENTITIES } from '../../entities/index.js';
import { choice, duration, filePath, flag, text } from '../schema-walk.js';
import { absentChoice } from './platform.js';

/** The blocks of the entities, made from the registry: what an entity can do decides which settings its block has. */

/** The settings that every entity has. */
function sharedSettings(entity: Entity) {
  return {
    query: filePath().meta({
      description: 'File with the SELECT that returns the entity’s columns, one row per record.',
    }),
    lookups: z.record(z.string(), filePath()).prefault({}).meta({
      type: 'a block of column: file.csv',
      description:
        'Per column, a CSV file with the columns code and id that turns your codes into the platform’s. `start` reads a changed file at its next sweep.',
    }),
    onVanished: choice(actionsOf(entity))
      .default(entity.application ? 'ignore' : 'report')
      .meta({
        description:
          'What happens when a record is no longer in the query’s result. `report`: the worker counts and lists it, and sends nothing. `ignore`: it never counts as vanished. `close` (vacancies): the worker sends it once more with `closedStatus`. `delete`: the worker deletes it at the platform; needs its operation in `platform.operations`.',
      }),
    refreshAfter: duration().nullable().default(null).meta({
      description:
        'Sends an unchanged record again this long after it was accepted. Keys spread the records over the second half of the time. Null: never. Not for application-statuses.',
    }),
    plainText: z
      .array(text('a column'))
      .default([])
      .meta({ type: 'a list of columns', description: 'Columns whose HTML is turned into plain text.' }),
    required: z.array(text('a column')).nullable().default(null).meta({
      type: 'a list of columns',
      description:
        'Columns that must not be empty, beside key, parent key and name or title. Null: the columns that the platform is assumed to require.',
    }),
    absent: absentOf().optional().meta({
      type: 'omit, null, or a block of column: omit or null',
      description:
        'Replaces `platform.absent` for this entity, or for some of its columns, such as { website: null }. `omit` for a column leaves its field out also where the interface documents null.',
    }),
    extraFields: z.record(z.string(), text('a column')).prefault({}).meta({
      type: 'a block of field: column',
      description:
        'Fields of the request body that the interface does not list: dotted path of the body, and the column of your query that fills it. The worker sends the value as it is (text, number, boolean, jsonb) and leaves out null and blank text.',
    }),
  };
}

/** One word for every column, or one per column; a column that is not named follows the platform's. */
function absentOf() {
  return z.union([z.record(z.string(), absentChoice()), absentChoice()], {
    error: 'must be omit, null, or a block of column: omit or null',
  });
}

/** What may be configured for records that vanish. */
function actionsOf(entity: Entity): readonly VanishedPolicy[] {
  return [
    'report',
    'ignore',
    ...(entity.statusField === null ? [] : (['close'] as const)),
    ...(entity.delete === null ? [] : (['delete'] as const)),
  ];
}

const closedStatus = text().default(USUAL_CLOSED_STATUS).meta({
  description:
    'The status that `onVanished: close` sends (assumed: the platform counts `closed`, and shows only `open` in requests).',
});

const requireInbox = flag().default(true).meta({
  description:
    'True: sends only statuses of applications that arrived by webhook. False: accepts any UUID as an application’s id.',
});

const settleAfter = duration({ min: '0s', max: '1h' }).prefault('0s').meta({
  description:
    'Children are sent so long after the platform accepted their parent, for a platform that knows a new parent only after a while. `probe` measures it. 0s: at once.',
});

/** The settings that only some entities have, so they are optional in the type. */
function ownSettings(entity: Entity) {
  const own: {
    closedStatus?: z.ZodType<string>;
    requireInbox?: z.ZodType<boolean>;
    settleAfter?: z.ZodType<number>;
  } = {
    ...(childrenOf(entity.name).length === 0 ? {} : { settleAfter }),
    ...(entity.statusField === null ? {} : { closedStatus }),
    ...(entity.application ? { requireInbox } : {}),
  };
  return own as { [K in keyof typeof own]-?: z.ZodOptional<NonNullable<(typeof own)[K]>> };
}

/** The block of one entity; the entity's file decides which settings it has. */
function settingsOf(entity: Entity) {
  const needs = entity.parent === null ? '' : ` They need ${entity.parent.entity}.`;
  return z
    .strictObject({
      ...sharedSettings(entity),
      ...ownSettings(entity),
    })
    .transform(({ refreshAfter, settleAfter: settle, ...rest }) => ({
      ...rest,
      refreshAfterMs: refreshAfter,
      settleAfterMs: settle ?? 0,
    }))
    .optional()
    .meta({ description: `${entity.description}${needs}` });
}

/** A block for every entity of the registry. */
export const entitySettings = z.strictObject(
  Object.fromEntries(ENTITIES.map((entity) => [entity.name, settingsOf(entity)])),
);
