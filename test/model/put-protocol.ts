import { explore, type Exploration } from './explore.js';
import { judgeQuiet } from './judge-quiet.js';
import { PROTOCOL, type Rules } from './ledger-row.js';
import { createFindings } from './product.js';
import type { Budget } from './world-state.js';

/** Explores the protocol of a Put and its deletion, with rules taken out. */
export const explorePuts = (each: Budget, without: Partial<Rules> = {}): Exploration =>
  explore(
    each,
    {
      rules: { ...PROTOCOL, ...without },
      marks: ['resync', 'resync-key', 'refresh'],
      findings: createFindings('delete'),
    },
    judgeQuiet,
  );

export const budget = (
  edits: number,
  faults: number,
  kills: number,
  refusals: number,
  marks: number,
  parents: number,
): Budget => ({ edits, faults, kills, refusals, marks, parents });

export const shown = (of: Budget) =>
  Object.entries(of)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
