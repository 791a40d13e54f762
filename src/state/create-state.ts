import { createDeliveries } from './delivery/deliveries.js';
import { createEntityStates, createEnvironments } from './ledger/entity-states.js';
import { createInbox, DEFAULT_INBOX, type InboxOptions } from './inbox.js';
import { createLeases } from './lease.js';
import { createForecasts } from './ledger/forecasts.js';
import { createLedger } from './ledger/ledger.js';
import { createResendRequests } from './ledger/resend-requests.js';
import { createNoticeStore } from './notice-store.js';
import { createOperatorActions } from './operator-actions.js';
import { createObservations, createRuns, createSchedules } from './runs.js';
import { createAreaStates, createPushHours } from './queue/area-states.js';
import { createQueue } from './queue/queue.js';
import { createReadBacks } from './ledger/read-backs.js';
import { createRecordLists } from './ledger/record-lists.js';
import { createStaging } from './ledger/staging.js';
import { createSubjects } from './subjects.js';
import { whyReadOnly } from './database/read-only.js';
import type { StateDatabase } from './database/state-database.js';
import { createRecords } from './ledger/records.js';

export type State = ReturnType<typeof createState>;

/** Everything that is kept in one database: the ledger with its queue, and what is known beside it. */
export function createState(database: StateDatabase, inbox: InboxOptions = DEFAULT_INBOX) {
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
    recordLists: createRecordLists(database),
    forecasts: createForecasts(database),
    pushHours: createPushHours(database),
    deliveries: createDeliveries(database),
    inbox: createInbox(database, inbox),
    subjects: createSubjects(database),
    schedules: createSchedules(database),
    readBacks: createReadBacks(database),
    notices: createNoticeStore(database),
    observations: createObservations(database),
    operatorActions: createOperatorActions(database),
    /** Why it cannot be written although it answers; null: it can. */
    whyReadOnly: () => whyReadOnly(database),
    close: () => database.close(),
  };
}
