import type { VanishedPolicy } from '../../src/domain/guard.js';
import { explore, type Exploration } from './explore.js';
import { createFindings } from './findings.js';
import { createJudge } from './create-judge.js';
import { PROTOCOL, type Rules } from './rules.js';
import type { Protocol } from './protocol.js';
import type { Budget } from './world-state.js';

/** The protocol of what is sent with Put, with rules taken out. */
export function putProtocol(policy: VanishedPolicy, without: Partial<Rules> = {}): Protocol {
  const rules = { ...PROTOCOL, ...without };
  const findings = createFindings(policy, rules);
  return { policy, rules, resends: ['resync', 'resync-key', 'refresh'], findings };
}

export const explorePuts = (
  policy: VanishedPolicy,
  each: Budget,
  without: Partial<Rules> = {},
): Exploration => explore(each, putProtocol(policy, without), createJudge(policy));

export const budget = (
  edits: number,
  faults: number,
  kills: number,
  refusals: number,
  resends: number,
  parents: number,
  restores = 0,
): Budget => ({ edits, faults, kills, refusals, resends, parents, restores });

export const shown = (of: Budget) =>
  Object.entries(of)
    .filter(([name, count]) => name !== 'restores' || count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
