import type { OperationName } from '../contract/operation.js';
import type { LearnedRate, RateNews } from '../domain/learned-rate.js';
import type { Reply } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';

export interface PlatformRequest {
  readonly operation: OperationName;
  /** The partner's key of the record, for an adapter; absent: the request is about none. */
  readonly key?: string | undefined;
  /** UUID in the path. */
  readonly platformId: string;
  /** New for every attempt of a Put. */
  readonly requestId: string;
  /** Serialised once, then hashed, signed and sent. Null: no body. */
  readonly body: JsonObject | null;
  /** Signed with another secret, to see how the platform refuses it. */
  readonly wrongSignature?: true;
  /** Not over a connection that an earlier request has used. */
  readonly newConnection?: boolean;
  /** Called when the connection has just taken the whole request, if that is known to a few milliseconds. */
  readonly onWritten?: (() => void) | undefined;
  /** Asked just before the connection takes the request. False: it is not sent, and the reply has the code `NOT_SENT`. */
  readonly mayLeave?: (() => boolean) | undefined;
}

/** Code of a reply to a request that was not allowed to leave any more: nothing of it was written. */
export const NOT_SENT = 'ERR_NOT_SENT';

/** One area of the platform. Signs at the call; makes one attempt; never throws for what a server does. */
export interface Platform {
  send(request: PlatformRequest): Promise<Reply>;
  /** Loads what sending needs. Afterwards `send` writes without a pause in between. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** A place in the rate of one area. */
export interface Place {
  /** Nothing was sent: the place is free at once. */
  release(): void;
  /** The connection has just taken the request. Never called: the time of the attempt does not count as a round trip. */
  written(): void;
  /** The request has a reply, or will have none. Never called: nothing is learned of it. */
  answered(news: RateNews): void;
}

/** Never more than the rate in any sliding second at the server, and never more than the concurrency at a time. */
export interface RateLimit {
  /**
   * Runs `attempt` when a place is free; an `urgent` one takes the next place, before all that wait. Rejects only with
   * what `attempt` rejects with, or with the reason of `signal` when that aborts before `attempt` is run; then it never
   * is.
   */
  schedule<T>(attempt: (place: Place) => Promise<T>, urgent?: boolean, signal?: AbortSignal): Promise<T>;
  /** Absent: it learns nothing. */
  readonly learning?: RateLearning;
}

/** What a rate limit has learned from replies. It is never above the setting. */
export interface RateLearning {
  /** Null: nothing speaks against the setting. */
  learned(): LearnedRate | null;
  /** Begins with what an earlier process learned, unless this one has learned something. */
  resume(learned: LearnedRate | null): void;
}
