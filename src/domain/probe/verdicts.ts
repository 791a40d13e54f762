import type { ProbeSeen } from './probe-seen.js';
import type { Verdict } from './probe-check.js';

export function confirmed(seen: string): Verdict {
  return { result: 'confirmed', seen };
}

export function differs(seen: string): Verdict {
  return { result: 'differs', seen };
}

export function unknown(seen: string): Verdict {
  return { result: 'unknown', seen };
}

/** For a request that was not sent. */
export function notTried({ ended }: Pick<ProbeSeen, 'ended'>): Verdict {
  return unknown(ended === null ? 'not tried' : `not tried: ${ended}`);
}
