/**
 * What an error ends: `usage` before any work (exit 2), `entity` one entity's sweep, `area` one area's
 * push, `run` everything.
 */
type ErrorScope = 'usage' | 'entity' | 'area' | 'run';

/** Every stable code, and the exit code when it is the worst error. */
export const ERROR_CODES = {
  'config-invalid': 2,
  'schema-not-migrated': 2,
  'environment-changed': 2,
  usage: 2,
  'query-failed': 1,
  'column-contract': 1,
  'null-key': 1,
  'duplicate-key': 1,
  'key-order': 1,
  'row-security': 1,
  'replica-lag': 1,
  'source-unavailable': 1,
  'state-unavailable': 1,
  'state-failed': 1,
  'lease-lost': 1,
  'state-went-back': 1,
  unbalanced: 1,
  interrupted: 1,
  unexpected: 1,
  'adapter-failed': 5,
  'authentication-refused': 5,
  redirected: 5,
  'request-refused': 5,
  'same-refusal': 5,
  'breaker-open': 5,
  'long-pause': 5,
  'reply-not-understood': 5,
  busy: 6,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * The one exception of this project. Library errors are translated into it at the adapter's edge, so that
 * nothing of a request, a password or a row reaches a log by accident.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: ErrorCode;
  readonly scope: ErrorScope;
  /** What to do about it: one sentence. */
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      scope: ErrorScope;
      hint?: string | undefined;
      details?: Record<string, unknown> | undefined;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.scope = options.scope;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

/** What was asked for cannot be done as it was asked, and nothing was done. */
export function usageError(message: string, hint?: string, cause?: unknown): SyncError {
  return new SyncError('usage', message, { scope: 'usage', hint, cause });
}
