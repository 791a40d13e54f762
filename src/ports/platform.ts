import type { JsonObject } from '../domain/row.js';
import type { Reply } from '../domain/reply/reply.js';
import type { OperationName } from '../contract/operation.js';

export interface PlatformRequest {
  readonly operation: OperationName;
  /** UUID in the path. */
  readonly platformId: string;
  /** New for every attempt of a Put. */
  readonly requestId: string;
  /** Serialised once: the same bytes are hashed, signed and sent. Null: no body. */
  readonly body: JsonObject | null;
  /** Signed with another secret, to see how the platform refuses it. */
  readonly wrongSignature?: true;
  /** Called when the connection has just taken the whole request, if that is known to a few milliseconds. */
  readonly onWritten?: (() => void) | undefined;
}

/** One area of the platform. Signs at the call; makes one attempt; never throws for what a server does. */
export interface Platform {
  send(request: PlatformRequest): Promise<Reply>;
  /** Loads what sending needs. Afterwards `send` writes without a pause in between. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}
