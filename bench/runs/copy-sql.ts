import { VACANCIES } from '../world/queries.js';

/** What the sweeps are compared with: the least that must be read to find a change. */
export const copySql = {
  versions: `copy (select key, row_version from (${VACANCIES.versioned}) q) to stdout`,
  rows: `copy (select key, md5(q::text) from (${VACANCIES.whole}) q) to stdout`,
} as const;
