import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its answer. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The client sends its body when it is asked to (`Expect: 100-continue`), and was not asked yet. */
  asksToSend: boolean;
  /**
   * From here until the answer is written the connection is not given up for a newer one: the client waits for us, and
   * not we for the client.
   */
  begin(): void;
}
