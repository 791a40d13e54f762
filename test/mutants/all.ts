import type { Mutant } from './mutant.js';
import { LEASES_AND_RATE } from './tables/leases.js';
import { LISTENERS } from './tables/listeners.js';
import { REPORTING } from './tables/reporting.js';
import { SENDING } from './tables/sending.js';
import { SWEEPING } from './tables/sweeping.js';

export const MUTANTS: readonly Mutant[] = [
  ...SENDING,
  ...SWEEPING,
  ...LEASES_AND_RATE,
  ...LISTENERS,
  ...REPORTING,
];
