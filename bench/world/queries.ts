/** Columns of the vacancies' query that follow `key` and `row_version`. */
const COLUMNS = [
  ...[
    'company_key',
    'title',
    'description',
    'quota',
    'qualification',
    'industry',
    'job_type',
    'job_function',
  ],
  ...['region_id', 'gender', 'min_education', 'min_salary_amount', 'max_salary_amount', 'marital', 'min_age'],
  ...[
    'max_age',
    'min_experience',
    'disability_allowed',
    'confidential',
    'skills',
    'client_url',
    'expire_at',
    'status',
  ],
].join(', ');

/**
 * Ways of writing the partner's query. `versioned`: with row_version, and an index serves a search for a key.
 * `unindexed`: the same, but its key is computed, so that no index can. `whole`: without row_version.
 */
export const VACANCIES = {
  versioned: `select key, changed_at as row_version, ${COLUMNS} from vacancy`,
  unindexed: `select key || '' as key, changed_at as row_version, ${COLUMNS} from vacancy`,
  whole: `select key, ${COLUMNS} from vacancy`,
} as const;

export type QueryKind = keyof typeof VACANCIES;

export const COMPANIES =
  'select key, changed_at as row_version, name, region_id, address, phone, about from company';
