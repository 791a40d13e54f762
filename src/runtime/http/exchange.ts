import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The client waits for `100 Continue` before it sends its body, and has not got it yet. */
  asksToSend: boolean;
  /**
   * From here until the answer is written, no newer connection takes this one's place: the client waits for us, not we
   * for the client.
   */
  begin(): void;
}
