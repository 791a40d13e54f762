import type { EntityName } from '../domain/names.js';
import { ERROR_CODES, SyncError } from '../domain/errors.js';
import { failedReport } from './output/failed-report.js';
import { writeJson } from './output/write.js';

/** Notes which entities the run is about, as soon as that is known. */
export type NoteEntities = (entities: readonly { readonly name: EntityName }[]) => void;

/**
 * Does `work`, which prints its own summary when it ends. When it throws, a program that asked for JSON still gets a
 * summary of the entities known so far (none for an invalid configuration). The error is passed on.
 */
export async function withSummary(
  json: boolean,
  work: (noteEntities: NoteEntities) => Promise<number>,
): Promise<number> {
  const startedAt = new Date();
  let entities: readonly EntityName[] = [];
  try {
    return await work((noted) => (entities = noted.map(({ name }) => name)));
  } catch (error) {
    const known = error instanceof SyncError;
    const code = known ? error.code : 'unexpected';
    // A defect's own message may hold anything.
    const message = known ? error.message : 'unexpected error; see standard error';
    if (json) writeJson(failedReport(entities, startedAt, ERROR_CODES[code], { code, message }));
    throw error;
  }
}
