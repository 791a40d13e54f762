import type { JsonObject } from '../json.js';

/**
 * The result of one request, as the platform adapter reports it; never an exception, never a header object.
 * - `answered`: a complete HTTP reply.
 * - `unreachable`: the connection was never established, so the platform did not see the request.
 * - `silent`: sent, or perhaps sent, and no complete reply: what the platform did is unknown.
 */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /**
       * For a 200 whose envelope is valid: the result's `id` and `reference`, and of a Find the whole of it, checked
       * against the contract; null otherwise.
       */
      readonly result: {
        readonly id: string;
        readonly reference: string;
        readonly data?: JsonObject;
      } | null;
      /** Why a 200 is not valid, or what a 101 is, for the message; null otherwise. */
      readonly malformed: string | null;
      /** The body as JSON; undefined when it is not JSON. */
      readonly json: unknown;
      /** Whether the body looks like HTML, as an edge or a proxy answers. */
      readonly html: boolean;
      /** Raw `Retry-After`, `Date` and `Location` headers; null when missing. */
      readonly retryAfter: string | null;
      readonly date: string | null;
      readonly location: string | null;
      /** Headers that announce a rate, by name in lower case; absent: none. */
      readonly rateHeaders?: Readonly<Record<string, string>> | undefined;
      /** Our clock when the reply was complete, milliseconds since the epoch. */
      readonly receivedAt: number;
    }
  | { readonly kind: 'unreachable'; readonly code: string; readonly message: string }
  | { readonly kind: 'silent'; readonly code: string; readonly message: string };

export type Answer = Extract<Reply, { kind: 'answered' }>;

export type NoReply = Exclude<Reply, Answer>;
