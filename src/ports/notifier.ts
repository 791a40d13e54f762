import type { Notice, NoticeWay } from '../domain/notice/notice.js';

/** What became of a message. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly detail: string }
  | {
      /** `refused`: the receiver answered and does not take this one. `failed`: it cannot be had at all just now. */
      readonly kind: 'refused' | 'failed';
      /** The receiver may have it all the same. */
      readonly inDoubt: boolean;
      /** Without credentials, addresses of people and words of the receiver. */
      readonly reason: string;
      /** What to do about it. */
      readonly hint: string;
    };

/** One way of sending notices. */
export interface Notifier {
  readonly way: NoticeWay;
  /** Where it goes, fit for a log: host and port only. */
  readonly receiver: string;
  /** Takes seconds at most, and ends at once when the signal aborts. Never rejects. */
  deliver(notice: Notice, signal: AbortSignal): Promise<Delivery>;
}
