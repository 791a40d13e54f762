import type { JsonObject } from '../json.js';

/** What a reply says about the links of a record. */
export interface ReplyLinks {
  /** The platform's own id of the record; null: the reply has none. */
  readonly id: string | null;
  /** As the platform gave it, because children name it so; null: the reply has none. */
  readonly reference: string | number | null;
}

/** A part that a reply lacks. */
export interface ReplyGap {
  readonly malformed: string;
  /** Which setting says where the part is: our own text, without any of the platform. */
  readonly hint: string;
}

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
      /** For a 2xx that is understood: the links, and of a Find the whole `data`; null otherwise. */
      readonly result: (ReplyLinks & { readonly data?: JsonObject }) | null;
      /** A Find was answered with success and an empty result: there is no such record. */
      readonly nothing?: true;
      /** Which part of a 2xx is missing, or what a 101 is, for the message; null otherwise. */
      readonly malformed: string | null;
      /** For a 2xx that is not understood: as of a gap. */
      readonly hint?: string;
      /** What any reply may offer, for a rule that accepts it. */
      readonly links?: ReplyLinks & {
        /** The reference is missing although children need it; null: it is not. */
        readonly gap: ReplyGap | null;
      };
      /** The body as JSON; undefined when it is not JSON. */
      readonly json: unknown;
      /** The beginning of the body as text; absent: there is none. */
      readonly text?: string;
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
