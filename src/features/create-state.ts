import { createDeliveries } from './report/deliveries.js';
import { createEntityStates, createEnvironments } from '../core/ledger/entity-states.js';
import { createInbox, DEFAULT_INBOX, type InboxOptions } from './webhook/state/inbox.js';
import { createLeases } from '../core/ledger/lease.js';
import { createForecasts } from './plan/forecasts.js';
import { createLedger } from '../core/ledger/ledger.js';
import { createResendRequests } from '../core/ledger/resend-requests.js';
import { createNoticeStore } from './notices/notice-store.js';
import { createOperatorActions } from './actions/action-store.js';
import { createObservations, createRuns, createSchedules } from '../core/ledger/runs.js';
import { createAreaStates, createPushHours } from '../core/ledger/queue/area-states.js';
import { createQueue } from '../core/ledger/queue/queue.js';
import { createReadBacks } from './verify/read-backs.js';
import { createRecordLists } from './look/record-lists.js';
import { createStaging } from '../core/ledger/staging.js';
import { createSubjects } from './subjects/subjects.js';
import { whyReadOnly } from '../core/ledger/database/read-only.js';
import type { StateDatabase } from '../core/ledger/database/state-database.js';
import { createRecords } from '../core/ledger/records.js';

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
