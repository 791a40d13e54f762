import { createRequire } from 'node:module';
import { SyncError } from '../../src/core/domain/errors.js';
import { checkNode, withoutEngine } from '../../src/features/fleet/open-job-queue.js';

const { resolve } = createRequire(import.meta.url);

/** Why this Node or this installation runs no fleet; null: it does. */
export function withoutFleet(version = process.versions.node): string | null {
  try {
    checkNode(version);
    resolveEngine();
    return null;
  } catch (error) {
    if (error instanceof SyncError) return `${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}

function resolveEngine(): void {
  try {
    resolve('pg-boss');
  } catch (error) {
    throw withoutEngine(error);
  }
}
