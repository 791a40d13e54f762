import type { State } from '../ports/state.js';
import { createEntityStates } from './entity-states.js';
import { createEnvironments } from './environments.js';
import { createInbox, DEFAULT_INBOX, type InboxOptions } from './inbox.js';
import { createLeases } from './leases.js';
import { createLedger } from './ledger.js';
import { createMarks } from './marks.js';
import { createNoticeStore } from './notice-store.js';
import { createPushHours } from './push-hours.js';
import { createQueue } from './queue.js';
import { createReadBacks } from './read-backs.js';
import { createRecordLists } from './record-lists.js';
import { createRecords } from './records.js';
import { createRuns } from './runs.js';
import { createSchedules } from './schedules.js';
import { createStaging } from './staging.js';
import type { StateDatabase } from './state-database.js';

/** All of the state on one database. */
export function createState(database: StateDatabase, inbox: InboxOptions = DEFAULT_INBOX): State {
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
    recordLists: createRecordLists(database),
    pushHours: createPushHours(database),
    inbox: createInbox(database, inbox),
    schedules: createSchedules(database),
    readBacks: createReadBacks(database),
    notices: createNoticeStore(database),
    close: () => database.close(),
  };
}
