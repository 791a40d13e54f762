import { createDeliveries, type Deliveries } from './delivery/deliveries.js';
import {
  createEntityStates,
  createEnvironments,
  type EntityStates,
  type Environments,
} from './ledger/entity-states.js';
import { createInbox, DEFAULT_INBOX, type Inbox, type InboxOptions } from './inbox.js';
import { createLeases, type Leases } from './lease.js';
import { createForecasts, type Forecasts } from './ledger/forecasts.js';
import { createLedger, type Ledger } from './ledger/ledger.js';
import { createResendRequests, type ResendRequests } from './ledger/resend-requests.js';
import { createNoticeStore, type NoticeStore } from './notice-store.js';
import { createOperatorActions, type OperatorActions } from './operator-actions.js';
import {
  createObservations,
  createRuns,
  createSchedules,
  type Observations,
  type Runs,
  type Schedules,
} from './runs.js';
import { type AreaStates, createAreaStates, createPushHours, type PushHours } from './queue/area-states.js';
import { createQueue, type Queue } from './queue/queue.js';
import { createReadBacks, type ReadBacks } from './ledger/read-backs.js';
import { createRecordLists, type RecordLists } from './ledger/record-lists.js';
import { createStaging, type Staging } from './ledger/staging.js';
import { createSubjects, type Subjects } from './subjects.js';
import { type ReadOnlyState, whyReadOnly } from './database/read-only.js';
import type { StateDatabase } from './database/state-database.js';
import { createRecords, type Records } from './ledger/records.js';

/** Everything that is stored between runs. */
export interface State {
  readonly ledger: Ledger;
  readonly staging: Staging;
  readonly queue: Queue;
  readonly resendRequests: ResendRequests;
  readonly entityStates: EntityStates;
  readonly areaStates: AreaStates;
  readonly runs: Runs;
  readonly leases: Leases;
  readonly environments: Environments;
  readonly records: Records;
  readonly recordLists: RecordLists;
  readonly forecasts: Forecasts;
  readonly pushHours: PushHours;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;
  readonly subjects: Subjects;
  readonly schedules: Schedules;
  readonly readBacks: ReadBacks;
  readonly notices: NoticeStore;
  readonly observations: Observations;
  readonly operatorActions: OperatorActions;
  /** Why it cannot be written although it answers; null: it can. */
  whyReadOnly(): Promise<ReadOnlyState | null>;
  close(): Promise<void>;
}

/** Everything that is kept in one database: the ledger with its queue, and what is known beside it. */
export function createState(database: StateDatabase, inbox: InboxOptions = DEFAULT_INBOX): State {
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
    whyReadOnly: () => whyReadOnly(database),
    close: () => database.close(),
  };
}
