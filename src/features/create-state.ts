import type { RunContext } from '../core/context.js';
import { createCoreState } from '../core/ledger/core-state.js';
import type { StateDatabase } from '../core/ledger/database/state-database.js';
import { createApprove } from './actions/approve.js';
import { createOperatorActions } from './actions/action-store.js';
import { createPushHours } from './look/push-hours.js';
import { createRecordLists } from './look/record-lists.js';
import { createRecordViews } from './look/record-views.js';
import { createNoticeStore } from './notices/notice-store.js';
import { createForecasts } from './plan/forecasts.js';
import { createObservations } from './probe/observations.js';
import { createDeliveries } from './report/deliveries.js';
import { createSubjects } from './subjects/subjects.js';
import { createAdoptions } from './verify/adoptions.js';
import { createReadBacks } from './verify/read-backs.js';
import { createInbox, DEFAULT_INBOX, type InboxOptions } from './webhook/state/inbox.js';

export type State = ReturnType<typeof createState>;

/** Everything that is kept in one database: the job's stores, and those of each feature. */
export function createState(database: StateDatabase, inbox: InboxOptions = DEFAULT_INBOX) {
  return {
    ...createCoreState(database),
    recordLists: createRecordLists(database),
    recordViews: createRecordViews(database),
    pushHours: createPushHours(database),
    forecasts: createForecasts(database),
    deliveries: createDeliveries(database),
    inbox: createInbox(database, inbox),
    subjects: createSubjects(database),
    readBacks: createReadBacks(database),
    adoptions: createAdoptions(database),
    notices: createNoticeStore(database),
    observations: createObservations(database),
    operatorActions: createOperatorActions(database),
    approve: createApprove(database),
  };
}

/** The context of a run with every store: what commands and pages work with. */
export interface AppContext extends RunContext {
  readonly state: State;
}
