import type { Lane } from '../ports/tenants.js';

/** Names of the engine's queues. */
export const LANES: readonly Lane[] = ['sync', 'large'];

export function otherLane(lane: Lane): Lane {
  return lane === 'sync' ? 'large' : 'sync';
}
