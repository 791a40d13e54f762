export type ScheduleName = 'sync' | 'verify';

/** When each schedule is due next, across processes. */
export interface Schedules {
  /** Whether the stored time has passed by the database's clock; null: none was ever stored. */
  isOverdue(name: ScheduleName): Promise<boolean | null>;
  setDue(name: ScheduleName, at: Date): Promise<void>;
}
