/** Counters of one entity in one run (DESIGN §8). */
export interface EntityCounters {
  read: number;
  unchanged: number;
  new: number;
  changed: number;
  vanished: number;
  invalid: number;
  sent: number;
  accepted: number;
  rejected: number;
  deferred: number;
  waiting: number;
  pending: number;
}
