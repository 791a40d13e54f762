import type { FaultsInput } from '../../src/config/faults.js';
import type { Intercept } from '../../src/sandbox/sandbox-options.js';
import { REFUSED } from './source-edits.js';

/** Of all requests, to each fault. */
const SHARE = 0.008;

/**
 * Now and then the platform is slow, throttles, fails or breaks the connection. What would end a run (401, a web page
 * with 403) is left out, and so is what only a person can mend.
 *
 * @param timeoutMs of the process; what takes effect late does so before it is confirmed, twice that after its claim
 */
export function platformFaults(seed: number, timeoutMs: number): FaultsInput {
  const share = SHARE;
  return {
    seed,
    rules: [
      { fault: 'latency', delay: '20ms', jitter: '200ms', share: 0.1 },
      { fault: 'retry-after', after: '1s', share: share / 2 },
      { fault: 'retry-after', status: 503, after: '1s', form: 'date', share: share / 2 },
      { fault: 'server-error', share },
      { fault: 'server-error', status: 502, json: false, share },
      { fault: 'server-error', status: 504, json: false, applied: true, share },
      { fault: 'no-reply', applied: true, share: share / 2 },
      { fault: 'drop-before', share },
      { fault: 'drop-after', share },
      { fault: 'apply-late', after: `${String(Math.round(timeoutMs * 0.8))}ms`, share },
      { fault: 'slow-body', over: '300ms', share },
      { fault: 'truncated-reply', share },
      { fault: 'truncated-reply', length: 'kept', share },
      { fault: 'wrong-envelope', share },
      // To a delete this would be a refusal, which only a person can mend.
      { fault: 'duplicate-request-id', operation: ['putCompany', 'putVacancy'], share },
    ],
  };
}

/** What the platform refuses for its content, though the interface allows it. */
export const refuseContent: Intercept = ({ body }) =>
  (body as { title?: string } | undefined)?.title === REFUSED
    ? { status: 422, body: { message: 'Such a title is not allowed' } }
    : undefined;
