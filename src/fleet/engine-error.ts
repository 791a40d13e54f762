import { SyncError } from '../domain/errors.js';
import { scrubText } from '../domain/scrub-text.js';
import { databaseMessage } from '../domain/sql/error-fields.js';
import { withFullStop } from '../domain/text.js';
import { translateStateError } from '../state/database/translate-state-error.js';

/** SQLSTATE: no such schema, table, function or type. */
const GONE = new Set(['3F000', '42P01', '42883', '42704']);

/** What the package says when its table of queues has no row of ours. */
const WITHOUT_QUEUE = /^Queue \S+ (does not exist|not found)/;

/** Whether the engine's schema was dropped, or was built again by somebody who has not made its queues. */
export function isEngineGone(error: unknown): boolean {
  const { code, message } = partsOf(error);
  return GONE.has(code) || WITHOUT_QUEUE.test(message);
}

/** An error of the package or of pg as a SyncError, without statement and without details of the connection. */
export function engineError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const { code, message } = partsOf(error);
  const asState = translateStateError(Object.assign(new Error(message), { code }), '');
  if (asState.code === 'state-unavailable' || code.startsWith('28')) {
    return new SyncError(
      'state-unavailable',
      `The engine of the fleet cannot use its database${code === '' ? '' : ` (${code})`}.`,
      {
        scope: 'run',
        hint: 'Check fleet.database.url, that the server is up and lets this user in, and its connection limit. The replica goes on by itself.',
        cause: error,
      },
    );
  }
  return new SyncError(
    'state-failed',
    `The engine of the fleet failed: ${withFullStop(databaseMessage(scrubText(message, [])))}`,
    {
      scope: 'run',
      hint: 'The role of fleet.database.url needs CREATE on the database, or to own the schema of the engine.',
      cause: error,
    },
  );
}

/** The package passes some errors on as plain objects. */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : String(error),
  };
}
