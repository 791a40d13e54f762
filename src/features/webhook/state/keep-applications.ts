import { type Keep, KEEPS } from '../../../core/domain/keep.js';
import {
  inBatches,
  type StateDatabase,
  type Statements,
} from '../../../core/ledger/database/state-database.js';

/**
 * How much of an application stays in the inbox: `webhook.keep`. An application comes with everything. It is cut down in the
 * transaction that stores it, after the partner's triggers have copied what they need (`cutDown`). What was stored under
 * another setting follows with the next deletion (`cutDownStored`). An event that was not recognised has nothing but its body, and keeps it.
 */

/** Columns of the inbox with values of the applicant. */
const PERSONAL_COLUMNS = [
  'name',
  'email',
  'phone',
  'gender',
  'birth_date',
  'birth_place',
  'age',
  'province',
  'city',
] as const;

/** Columns of the inbox with lists of the applicant's life, as JSON. */
export const LIST_COLUMNS = [
  'skills',
  'experiences',
  'trainings',
  'educations',
  'certifications',
  'achievements',
  'languages',
] as const;

/** SQL: what is set when the row of alias `a` is cut down to this. */
const CUTS: Readonly<Record<Exclude<Keep, 'body'>, string>> = {
  columns: `kept = 'columns', body = null, body_bytes = null`,
  minimal: [
    `kept = 'minimal', body = null, body_bytes = null`,
    ...PERSONAL_COLUMNS.map((column) => `${column} = null`),
    ...LIST_COLUMNS.map((column) => `${column} = '[]'`),
  ].join(', '),
};

/** Cuts one application down with its versions before, in the transaction that stored it. */
export async function cutDown(statements: Statements, applicationRef: string, keep: Keep): Promise<void> {
  if (keep === 'body') return;
  await statements.query(
    `update :schema:.job_application a set ${CUTS[keep]} where application_ref = :applicationRef and kept = any(:more)`,
    { applicationRef, more: KEEPS.slice(0, KEEPS.indexOf(keep)) },
  );
}

/** Cuts down all that is stored with more than this. Gives the count. */
export async function cutDownStored(database: StateDatabase, keep: Keep, batchSize: number): Promise<number> {
  if (keep === 'body') return 0;
  return inBatches(batchSize, async () => {
    const cut = await database.query(
      `update :schema:.job_application a set ${CUTS[keep]}
       where id in (
         select id from :schema:.job_application
         where application_ref is not null and kept = any(:more) limit :batchSize
       ) returning 1`,
      { more: KEEPS.slice(0, KEEPS.indexOf(keep)), batchSize },
    );
    return cut.length;
  });
}
