import type { State } from '../ports/state.js';
import { createEntityStates } from './entity-states.js';
import { createEnvironments } from './environments.js';
import { createLeases } from './leases.js';
import { createLedger } from './ledger.js';
import { createMarks } from './marks.js';
import { createQueue } from './queue.js';
import { createReadBacks } from './read-backs.js';
import { createRecords } from './records.js';
import { createRuns } from './runs.js';
import { createStaging } from './staging.js';
import type { StateDatabase } from './state-database.js';

/** All of the state on one database. */
export function createState(database: StateDatabase): State {
  return {
    ledger: createLedger(database),
    staging: createStaging(database),
    queue: createQueue(database),
    marks: createMarks(database),
    entityStates: createEntityStates(database),
    runs: createRuns(database),
    leases: createLeases(database),
    environments: createEnvironments(database),
    records: createRecords(database),
    readBacks: createReadBacks(database),
    close: () => database.close(),
  };
}
