import type { StateDatabase } from './database/state-database.js';
import { whyReadOnly } from './database/read-only.js';
import { createEntityStates, createEnvironments } from './entity-states.js';
import { createLeases } from './lease.js';
import { createLedger } from './ledger.js';
import { createAreaStates } from './queue/area-states.js';
import { createQueue } from './queue/queue.js';
import { createRecords } from './records.js';
import { createResendRequests } from './resend-requests.js';
import { createRuns, createSchedules } from './runs.js';
import { createStaging } from './staging.js';

export type CoreState = ReturnType<typeof createCoreState>;

/** The ledger with its queue, and what the job keeps beside it, in one database. */
export function createCoreState(database: StateDatabase) {
  return {
    ledger: createLedger(database),
    staging: createStaging(database),
    queue: createQueue(database),
    resendRequests: createResendRequests(database),
    entityStates: createEntityStates(database),
    areaStates: createAreaStates(database),
    runs: createRuns(database),
    leases: createLeases(database),
    environments: createEnvironments(database),
    records: createRecords(database),
    schedules: createSchedules(database),
    /** Why it cannot be written although it answers; null: it can. */
    whyReadOnly: () => whyReadOnly(database),
    close: () => database.close(),
  };
}
