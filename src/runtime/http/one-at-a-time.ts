import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What Node's parser of a connection calls with the head of each request. */
type OnIncoming = (incoming: IncomingMessage, shouldKeepAlive: boolean) => number;

/** Not in Node's documentation. If Node drops it, the test of pipelined requests fails. */
interface WithParser {
  readonly parser?: { onIncoming?: OnIncoming | null } | null;
}

/** The parser ignores the rest of its data, as for a connection that changes to another protocol. */
const LEAVE_THE_REST = 2;

/**
 * Ends a connection that sends a request while another one is under way on it (pipelining, which neither browsers nor
 * proxies do). The parser has to stop as well: it gets 64 KB at once, which hold thousands of requests, and each would
 * be an object of kilobytes, on every connection.
 */
export function allowOneAtATime(socket: Socket, isUnderWay: () => boolean): void {
  const { parser } = socket as WithParser;
  const onIncoming = parser?.onIncoming;
  if (!parser || !onIncoming) return;
  parser.onIncoming = (incoming, shouldKeepAlive) => {
    if (!isUnderWay()) return onIncoming(incoming, shouldKeepAlive);
    socket.destroy();
    return LEAVE_THE_REST;
  };
}
