import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReference, type ReferenceValue } from '../../entities/lookup.js';
import { PACKAGE_ROOT } from './package-info.js';

const FILES: Readonly<Record<string, string>> = {
  region_id: 'cities.csv',
  industry: 'industries.csv',
  job_type: 'job-types.csv',
  job_function: 'job-functions.csv',
  min_education: 'education-levels.csv',
};

/** The platform's values that the package knows, by column of the contract. */
export function platformReferences(): ReadonlyMap<string, readonly ReferenceValue[]> {
  return new Map(
    Object.entries(FILES).map(([column, file]) => [
      column,
      readReference(readFileSync(join(PACKAGE_ROOT, 'config', 'reference', file), 'utf8')),
    ]),
  );
}

let ids: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Their ids, by column; read once. */
export function platformIds(): ReadonlyMap<string, ReadonlySet<string>> {
  ids ??= new Map(
    [...platformReferences()].map(([column, values]) => [column, new Set(values.map(({ id }) => id))]),
  );
  return ids;
}
