import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Makes the agent close an idle connection on which something arrives. HTTP/1.1 does not number its replies: after a
 * double answer, the second one would count as the reply to the next request. Gives the agent.
 */
export function closeStrayConnections<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  const close = function (this: Duplex): void {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    socket.on('data', close);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
  return agent;
}
