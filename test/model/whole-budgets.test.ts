import { endsRight } from './ends-right.js';
import { budget } from './put-protocol.js';

/** Too long for every run: `npm run test:hard -- --project model`. */
const BUDGETS = [budget(2, 1, 1, 1, 1, 1), budget(3, 1, 1, 0, 0, 1), budget(2, 2, 1, 0, 1, 0)];

endsRight('delete', BUDGETS, 300_000);
endsRight('close', [budget(2, 1, 0, 1, 1, 1), budget(2, 1, 1, 1, 0, 1), budget(2, 1, 2, 0, 0, 0)], 300_000);
endsRight('report', [budget(2, 1, 0, 1, 1, 1), budget(2, 1, 1, 1, 0, 1)], 300_000);
endsRight('ignore', [budget(2, 1, 0, 1, 1, 1)], 300_000);

/** The ledger goes back to an earlier state. */
endsRight('delete', [budget(2, 1, 1, 0, 0, 0, 1)], 300_000);
endsRight('report', [budget(3, 1, 0, 0, 0, 0, 1)], 300_000);
