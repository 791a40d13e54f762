export type ScheduleName = 'sync' | 'verify';

export interface DueTime {
  readonly at: Date;
  /** Whether it has passed, by the database's clock. */
  readonly overdue: boolean;
}

/** When each schedule is due next, across processes. */
export interface Schedules {
  /** Null: none was ever stored. */
  read(name: ScheduleName): Promise<DueTime | null>;
  /** Gives the time that it replaces; null: there was none. */
  setDue(name: ScheduleName, at: Date): Promise<DueTime | null>;
  /** The process that works by this schedule begins within a few seconds. */
  setDueNow(name: ScheduleName): Promise<void>;
}
