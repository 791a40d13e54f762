import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What Node's parser of a connection calls with the head of each request. */
type OnIncoming = (incoming: IncomingMessage, shouldKeepAlive: boolean) => number;

/** Not in Node's documentation. Where it goes away, the test of pipelined requests fails. */
interface WithParser {
  readonly parser?: { onIncoming?: OnIncoming | null } | null;
}

/** The parser leaves the rest of what it has: as for a connection that speaks another protocol from here on. */
const LEAVE_THE_REST = 2;

/**
 * Ends a connection that sends a request while another one is under way on it (pipelining, which neither browsers nor
 * proxies do). The parser has to be stopped as well: 64 KB, which it is given at once, hold thousands of requests, and
 * each would be an object of kilobytes, on every connection.
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
