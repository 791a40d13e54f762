import { existsSync } from 'node:fs';
import { checkNode } from '../../../../src/features/fleet/open-job-queue.js';

/** Whether this Node and this installation can run a fleet. */
export function hasEngine(): boolean {
  return isNewEnough() && existsSync(new URL('../../../../node_modules/pg-boss', import.meta.url));
}

function isNewEnough(): boolean {
  try {
    checkNode(process.versions.node);
    return true;
  } catch {
    return false;
  }
}
