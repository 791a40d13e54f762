/** What happens to a request. Without `status`, `drop` and `silent` it is processed and answered as usual. */
export interface Verdict {
  /** Answer with this status, without processing the request. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string;
  /** With `status` or `silent`: process the request anyway. */
  readonly apply?: boolean;
  /** Break the connection instead of answering: before processing the request, or after. */
  readonly drop?: 'before' | 'after';
  /** With `drop: before`: process the request later, by this time, as if it had been under way for so long. */
  readonly applyAfterDropMs?: number;
  /** Never answer. */
  readonly silent?: boolean;
  /** How the answer is sent; as a rule at once and whole. */
  readonly delivery?: Delivery;
  /** Wait before answering or dropping. */
  readonly delayMs?: number;
  /** Process the request after the delay; as a rule it is processed before. */
  readonly applyAfterDelay?: boolean;
}

export type Delivery =
  /** In many pieces. */
  | { readonly kind: 'slow'; readonly overMs: number }
  /** The first part of the body, then the connection ends. `whole` announces all of it, `kept` only that part. */
  | { readonly kind: 'cut'; readonly keptShare: number; readonly announced: 'whole' | 'kept' };
