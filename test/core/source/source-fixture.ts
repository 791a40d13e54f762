import type { EntityQuery, KeyVersion, Source, SourceRow } from '../../../src/core/ports/source.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import {
  createPostgresSource,
  type PostgresSourceOptions,
} from '../../../src/core/source/postgres-source.js';

/** A source as the worker opens it, with what a test changes. */
export function openTestSource(url: string, changes: Partial<PostgresSourceOptions> = {}): Source {
  return createPostgresSource({
    url,
    poolMax: 2,
    statementTimeoutMs: 30_000,
    timeZone: null,
    sessionTimeZone: null,
    platformTimeZone: 'Asia/Jakarta',
    rowSecurity: 'refuse',
    ...changes,
  });
}

/** A query whose contract has a key and these columns. */
export function queryOf(sql: string, columns: readonly string[] = ['name', 'about']): EntityQuery {
  return {
    entity: 'companies',
    sql,
    file: 'queries/companies.sql',
    columns: [{ name: 'key', required: true }, { name: 'row_version' }, ...columns.map((name) => ({ name }))],
  };
}

/** All elements of all pages. */
export async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export const readVersions = (source: Source, query: EntityQuery): Promise<KeyVersion[]> =>
  source.read(query, (reader) => collect(reader.versions(null)));

export const readRows = (source: Source, query: EntityQuery): Promise<SourceRow[]> =>
  source.read(query, (reader) => collect(reader.allRows()));

/** The error that the work ends with. */
export async function failure(work: Promise<unknown>): Promise<SyncError> {
  const error: unknown = await work.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof SyncError) return error;
  throw error;
}
