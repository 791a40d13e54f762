import type { NoticeWay } from '../../core/domain/notice.js';
import type { Notice } from './next-memory.js';

/** The result of sending a notice. */
export type NoticeDelivery =
  | { readonly kind: 'delivered'; readonly detail: string }
  | {
      /** `refused`: the receiver answered and does not accept it. `failed`: the receiver cannot be reached. */
      readonly kind: 'refused' | 'failed';
      /** The receiver may have it nevertheless. */
      readonly inDoubt: boolean;
      /** Without credentials, personal addresses and the receiver's own words. */
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
  deliver(notice: Notice, signal: AbortSignal): Promise<NoticeDelivery>;
}
