import { z } from 'zod';
import { choice, duration, filePath, flag, text } from '../setting-types.js';

type Action = 'report' | 'ignore' | 'close' | 'delete';

/** The settings that every entity has. */
function sharedSettings<const A extends readonly [Action, ...Action[]]>(actions: A, onVanished: A[number]) {
  return {
    query: filePath().meta({
      description: 'File with the SELECT that returns the entity’s columns, one row per record.',
    }),
    lookups: z.record(z.string(), filePath()).prefault({}).meta({
      type: 'a block of column: file.csv',
      description:
        'Per column, a CSV file with the columns code and id that turns your codes into the platform’s.',
    }),
    onVanished: choice(actions)
      .default(onVanished as never)
      .meta({
        description:
          'What happens when a record is no longer in the query’s result. `report`: counted and listed, nothing is sent. `ignore`: never counted as vanished. `close` (vacancies): sent once more with `closedStatus`. `delete`: deleted at the platform; needs its operation in `platform.operations`.',
      }),
    refreshAfter: duration().nullable().default(null).meta({
      description:
        'Sends unchanged records again when they were accepted this long ago, spread by key over the second half of the time. Null: never. Not for application-statuses.',
    }),
    plainText: z
      .array(text('a column'))
      .default([])
      .meta({ type: 'a list of columns', description: 'Columns whose HTML is turned into plain text.' }),
    required: z.array(text('a column')).nullable().default(null).meta({
      type: 'a list of columns',
      description:
        'Columns that must not be empty, beside key, parent key and name or title. Null: what is assumed of the platform.',
    }),
    extraFields: z.record(z.string(), text('a column')).prefault({}).meta({
      type: 'a block of field: column',
      description:
        'Fields of the request body that the interface does not list: dotted path of the body, and the column of your query that fills it. Its value is sent as it is (text, number, boolean, jsonb); null and blank text are left out.',
    }),
  };
}

const renameDurations = <T extends { refreshAfter: number | null }>({ refreshAfter, ...rest }: T) => ({
  ...rest,
  refreshAfterMs: refreshAfter,
});

const recordSettings = () =>
  z
    .strictObject(sharedSettings(['report', 'ignore', 'delete'], 'report'))
    .transform(renameDurations)
    .optional();

export const entitySettings = z.strictObject({
  companies: recordSettings().meta({ description: 'Employers.' }),
  vacancies: z
    .strictObject({
      ...sharedSettings(['report', 'ignore', 'close', 'delete'], 'report'),
      closedStatus: text().default('closed').meta({
        description:
          'The status that `onVanished: close` sends (assumed: the platform counts `closed`, and shows only `open` in requests).',
      }),
    })
    .transform(renameDurations)
    .optional()
    .meta({ description: 'Job vacancies; they need companies.' }),
  institutions: recordSettings().meta({ description: 'Training institutions.' }),
  trainings: recordSettings().meta({ description: 'Trainings; they need institutions.' }),
  'application-statuses': z
    .strictObject({
      ...sharedSettings(['report', 'ignore'], 'ignore'),
      requireInbox: flag().default(true).meta({
        description:
          'Sends only statuses of applications that arrived by webhook; false: any UUID is taken for an application’s.',
      }),
    })
    .transform(renameDurations)
    .optional()
    .meta({ description: 'Statuses of applications, sent as soon as they change.' }),
});
