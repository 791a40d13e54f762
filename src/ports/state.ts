import type { AreaStates } from './area-states.js';
import type { Deliveries } from './deliveries.js';
import type { EntityStates } from './entity-states.js';
import type { Environments } from './environments.js';
import type { Forecasts } from './forecasts.js';
import type { Inbox } from './inbox.js';
import type { Leases } from './leases.js';
import type { Ledger } from './ledger.js';
import type { NoticeStore } from './notice-store.js';
import type { Observations } from './observations.js';
import type { PushHours } from './push-hours.js';
import type { Queue } from './queue.js';
import type { ReadBacks } from './read-backs.js';
import type { RecordLists } from './record-lists.js';
import type { Records } from './records.js';
import type { ResendRequests } from './resend-requests.js';
import type { Runs } from './runs.js';
import type { Schedules } from './schedules.js';
import type { Staging } from './staging.js';

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
  readonly schedules: Schedules;
  readonly readBacks: ReadBacks;
  readonly notices: NoticeStore;
  readonly observations: Observations;
  close(): Promise<void>;
}
