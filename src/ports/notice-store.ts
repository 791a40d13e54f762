import type { NoticeMemory } from '../domain/notice/next-memory.js';
import type { NoticeWay } from '../domain/notice/notice.js';

/** What was told and what is still to be told, across restarts, hand-overs and CronJobs. */
export interface NoticeStore {
  /**
   * Replaces what is remembered by what `decide` makes of it: what it leaves out is forgotten. One process at a time.
   * `decide` must be pure. `now`: the state database's time.
   */
  revise(decide: (memories: readonly NoticeMemory[], now: Date) => readonly NoticeMemory[]): Promise<void>;
  /**
   * A message that is to be told by this way now, and nobody else's for a minute; null: there is none. Those that
   * failed most often come last.
   */
  takeDue(way: NoticeWay): Promise<NoticeMemory | null>;
  /** It was told. Nothing happens when its state has changed since. */
  noteTold(noticeId: string, quietMs: number): Promise<void>;
  /**
   * It was not told; it is due again after a pause that grows to an hour, and given up after five tries and a day.
   * `inDoubt`: the receiver may have it. Gives whether it was given up.
   */
  noteFailure(
    noticeId: string,
    options: { readonly inDoubt: boolean; readonly quietMs: number },
  ): Promise<boolean>;
}
