import type { ErrorCode } from '../errors.js';

/** Why nothing is sent to an area. */
export interface AreaStop {
  readonly code: Extract<
    ErrorCode,
    'authentication-refused' | 'redirected' | 'breaker-open' | 'long-pause' | 'reply-not-understood'
  >;
  readonly message: string;
  readonly hint: string;
  /** How long the platform asked to wait, if it did. */
  readonly delayMs?: number;
}
