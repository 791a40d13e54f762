import { rehearsalFile } from '../rehearsal-file.js';
import { checkFaults } from './check-faults.js';
import type { Faults, FaultsInput } from './fault-schema.js';

/** Reads what goes wrong in a rehearsal. */
export const FAULTS_FILE = rehearsalFile<FaultsInput, Faults>({
  noun: 'faults',
  hint: 'docs/sandbox.md lists every fault; config/faults.example.yaml shows them in use.',
  check: checkFaults,
  empty: {},
});
