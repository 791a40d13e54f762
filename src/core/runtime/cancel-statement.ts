import { connect } from 'node:net';

/** Code of a cancel request in the protocol, in place of a version. */
const CANCEL_REQUEST = 80_877_102;
const GIVE_UP_MS = 5_000;

/**
 * Asks the server, or the pooler in front of it, to end the statement of a pg connection. The protocol demands a separate
 * connection for it and accepts that without TLS. It gives no reply: the statement either fails or ends normally.
 */
export function cancelStatement(connection: unknown): void {
  // The driver's types do not have these.
  const { host, port, processID, secretKey } = connection as {
    readonly host: string;
    readonly port: number;
    readonly processID: number | null;
    readonly secretKey: number | null;
  };
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(16);
  [16, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
    request.writeInt32BE(value, index * 4),
  );
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.on('error', () => undefined);
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
  // The other side closes when it is done. PgBouncer 1.18 exits when a client leaves before that.
  socket.write(request);
}

/** Time between two requests to the server, milliseconds. */
const AGAIN_MS = 100;

/**
 * Asks a server again and again to cancel a statement: a request that overtakes the statement is lost. If the statement
 * has not ended after `graceMs`, it stops asking and calls `giveUp`. Gives the function that ends it.
 */
export function keepCancelling(cancel: () => void, graceMs: number, giveUp: () => void): () => void {
  cancel();
  const asking = setInterval(cancel, AGAIN_MS);
  const givingUp = setTimeout(() => {
    clearInterval(asking);
    giveUp();
  }, graceMs);
  return () => {
    clearInterval(asking);
    clearTimeout(givingUp);
  };
}
