import type { NoticeMemory, NoticeWay } from '../domain/notice.js';

/** Notices sent and still to send, across restarts, hand-overs and CronJobs. */
export interface NoticeStore {
  /**
   * Replaces the stored memories by the result of `decide`; what it leaves out is deleted. One process at a time.
   * `decide` must be pure. `now`: the state database's time.
   */
  revise(decide: (memories: readonly NoticeMemory[], now: Date) => readonly NoticeMemory[]): Promise<void>;
  /**
   * A notice to send by this way now, reserved for one minute; null: none. Those that failed most often come last.
   */
  takeDue(way: NoticeWay): Promise<NoticeMemory | null>;
  /** It was sent. Does nothing if its state has changed since. */
  noteTold(noticeId: string, quietMs: number): Promise<void>;
  /**
   * It was not sent. It is due again after a pause that grows to an hour, and given up after five tries and a day.
   * `inDoubt`: the receiver may have it. Gives whether it was given up.
   */
  noteFailure(
    noticeId: string,
    options: { readonly inDoubt: boolean; readonly quietMs: number },
  ): Promise<boolean>;
}
