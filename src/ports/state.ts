import type { Deliveries } from '../state/delivery/deliveries.js';
import type { NoticeStore } from '../state/notice-store.js';
import type { Forecasts } from '../state/ledger/forecasts.js';
import type { Subjects } from '../state/subjects.js';
import type { Leases } from './clock.js';
import type { OperatorActions } from '../state/operator-actions.js';
import type { ResendRequests } from '../state/ledger/resend-requests.js';
import type { Inbox } from '../state/inbox.js';
import type { Ledger } from '../state/ledger/ledger.js';
import type { Records } from '../state/ledger/records.js';
import type { Staging } from '../state/ledger/staging.js';
import type { RecordLists } from '../state/ledger/record-lists.js';
import type { ReadBacks } from '../state/ledger/read-backs.js';
import type { Queue } from '../state/queue/queue.js';
import type { AreaStates, PushHours } from '../state/queue/area-states.js';
import type { Observations, Runs, Schedules } from '../state/runs.js';
import type { EntityStates, Environments } from '../state/ledger/entity-states.js';

/** Why the state database cannot be written. Names no host, port or role. */
export interface ReadOnlyState {
  readonly message: string;
  readonly hint: string;
}

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
