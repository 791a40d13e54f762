import { hasEngine } from './has-engine.js';

/** Stops before the first test when this Node has no engine, with the one command that brings it. */
export default function checkEngine(): void {
  if (hasEngine()) return;
  throw new Error(
    'test:fleet needs Node 22.12 or later, and pg-boss, which npm leaves out below that: npx -y -p node@24 -c "npm ci && npm run test:fleet"',
  );
}
