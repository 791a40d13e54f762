import { existsSync } from 'node:fs';
import { checkNode } from '../../../src/fleet/check-node.js';

/** Stops before the first test when this Node has no engine, with the one command that brings it. */
export default function checkEngine(): void {
  if (isNewEnough() && existsSync(new URL('../../../node_modules/pg-boss', import.meta.url))) return;
  throw new Error(
    'test:fleet needs Node 22.12 or later, and pg-boss, which npm leaves out below that: npx -y -p node@24 -c "npm ci && npm run test:fleet"',
  );
}

function isNewEnough(): boolean {
  try {
    checkNode(process.versions.node);
    return true;
  } catch {
    return false;
  }
}
