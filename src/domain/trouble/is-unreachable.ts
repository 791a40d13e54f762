import type { Trouble } from './trouble.js';

/** Whether the platform does not answer. One that redirects or asks to wait has answered. Pure. */
export function isUnreachable(trouble: Trouble): boolean {
  return trouble.kind === 'area-stopped' && trouble.code === 'breaker-open';
}
