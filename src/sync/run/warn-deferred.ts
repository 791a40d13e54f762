import { ERROR_CODES, type ErrorCode } from '../../domain/errors.js';
import type { Emit } from '../../domain/events.js';
import type { EntityReport } from '../../domain/outcome.js';

/** Exit code of what stops an area. */
const STOPPED = 5;

/** Remembers the last error of a record that was put off, on its way to the listeners. */
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
 * Reports how many records a run put off, and why the last one: with fewer of them than the breaker waits for, nothing
 * else says that the platform gave no good answer, and the run ends with exit code 0. What stopped an area was reported.
 */
export function warnDeferred(
  emit: Emit,
  reports: ReadonlyMap<unknown, EntityReport>,
  lastError: string | null,
): void {
  const count = [...reports.values()].reduce(
    (sum, { deferred, error }) =>
      sum + (error && ERROR_CODES[error.code as ErrorCode] === STOPPED ? 0 : deferred),
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
