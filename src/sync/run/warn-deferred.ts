import { ERROR_CODES, type ErrorCode } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import type { EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { RunContext } from '../run-context.js';

/** Exit code of a stopped area. */
const STOPPED = 5;

/** Keeps the last error of a deferred record, and passes all events on. */
export function watchDeferred(emit: Emit): { readonly emit: Emit; lastError(): string | null } {
  let last: string | null = null;
  return {
    emit(event) {
      if (event.type === 'record-sent' && event.outcome === 'deferred') last = event.message;
      emit(event);
    },
    lastError: () => last,
  };
}

/**
 * Reports how many records a run deferred, and why the last one: below the breaker's limit nothing else shows the
 * failures, and the run ends with exit code 0. A stopped area was already reported.
 */
export function warnDeferred(
  emit: Emit,
  reports: ReadonlyMap<unknown, EntityReport>,
  lastError: string | null,
): void {
  const count = [...reports.values()].reduce(
    (sum, report) => sum + (isStopped(report) ? 0 : report.deferred),
    0,
  );
  if (count === 0) return;
  const records = count === 1 ? 'One record' : `${count} records`;
  const why = lastError === null ? '' : ` The last error: ${lastError}`;
  emit({
    type: 'warning',
    message: `${records} could not be sent and ${count === 1 ? 'was' : 'were'} put off.${why}`,
    hint: 'A later run tries again.',
  });
}

/**
 * Reports why records of an earlier run are still deferred, one line for each entity of which this run tried none: it ends
 * with exit code 0, and nothing else in its log shows the failures.
 */
export async function warnStillDeferred(
  { emit, state }: Pick<RunContext, 'emit' | 'state'>,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<void> {
  for (const [entity, report] of reports) {
    if (isStopped(report) || report.deferred > 0) continue;
    const deferral = await state.records.deferral(entity);
    if (deferral === null) continue;
    emit({
      type: 'warning',
      message: `Records of ${entity} could not be sent by an earlier run and are put off.${deferral.error === null ? '' : ` The last error: ${deferral.error}`}`,
      hint: 'A later run tries again.',
    });
  }
}

function isStopped({ error }: EntityReport): boolean {
  return error !== null && ERROR_CODES[error.code as ErrorCode] === STOPPED;
}
