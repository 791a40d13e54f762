import net from 'node:net';
import type { KillSwitch, Victim } from './kill-switch.js';
import type { Statement } from './steps.js';

export interface DatabaseRelay {
  /** The database's address by way of the relay. */
  readonly url: string;
  close(): void;
}

/**
 * Stands between one process and one database and reads every statement on its way. When the switch says so, the
 * process is killed before a statement is forwarded, or when it was carried out and before the reply is passed on: both
 * are exact, and nothing in the process knows of it.
 */
export async function startDatabaseRelay(
  target: string,
  database: Statement['database'],
  killSwitch: KillSwitch,
  victim: () => Victim,
): Promise<DatabaseRelay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    relay(client, upstream, database, killSwitch, victim);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}

function relay(
  client: net.Socket,
  upstream: net.Socket,
  database: Statement['database'],
  killSwitch: KillSwitch,
  victim: () => Victim,
): void {
  const cut = () => {
    client.destroy();
    upstream.destroy();
  };
  let transaction: { text: string; values: string }[] | null = null;
  /** The statements that are on their way: whether the reply must be looked at before it is passed on. */
  const onTheWay: boolean[] = [];
  let dead = false;
  let rows = 0;

  const forward = (bytes: Buffer, text: string | null, values: string): void => {
    if (text !== null) {
      const decision = killSwitch.statement(victim(), {
        database,
        text: text.trim(),
        values,
        before: transaction ?? [],
      });
      if (/^begin/i.test(text)) transaction = [];
      else if (/^(commit|rollback)/i.test(text)) transaction = null;
      else transaction?.push({ text, values });
      if (decision === 'kill') {
        dead = true;
        // Nothing of it reaches the database, nor does what it may send until the signal takes effect.
        void killSwitch.fire().then(cut);
        return;
      }
      onTheWay.push(decision === 'watch');
    }
    upstream.write(bytes);
  };

  client.on(
    'data',
    readMessages(() => !dead, statements(forward)),
  );

  let held: Buffer[] = [];
  const look = framed(true, (type, body) => {
    if (type === 'D') rows += 1;
    if (type === 'C') rows = Math.max(rows, Number(/(\d+)\0$/.exec(body.toString('latin1'))?.[1] ?? 0));
    if (type !== 'Z') return;
    const watched = onTheWay.shift() === true;
    if (watched && killSwitch.carriedOut(victim(), rows)) {
      dead = true;
      void killSwitch.fire().then(cut);
    }
    rows = 0;
  });
  upstream.on('data', (chunk) => {
    if (dead) return;
    held.push(chunk);
    look(chunk);
    if (onTheWay.includes(true) || dead) return;
    held.forEach((bytes) => client.write(bytes));
    held = [];
  });
}

type OnMessage = (type: string, body: Buffer, whole: Buffer) => void;

function readMessages(alive: () => boolean, onMessage: OnMessage) {
  const take = framed(false, (type, body, whole) => {
    if (alive()) onMessage(type, body, whole);
  });
  return (chunk: Buffer) => take(chunk);
}

/** Cuts a stream into messages: a type of one byte and a length, but for the client's first, which has no type. */
function framed(typedFromTheStart: boolean, onMessage: OnMessage): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typed = typedFromTheStart;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = typed ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const whole = rest.subarray(0, end);
      rest = rest.subarray(end);
      const type = typed ? String.fromCharCode(whole[0] ?? 0) : '';
      typed = true;
      onMessage(type, whole.subarray(head + 4), whole);
    }
  };
}

/** Gathers the messages of one statement: Parse to Sync, or a Query. Everything else goes its way. */
function statements(forward: (bytes: Buffer, text: string | null, values: string) => void): OnMessage {
  let gathered: Buffer[] = [];
  let text: string | null = null;
  let values = '';
  return (type, body, whole) => {
    if (type === 'Q') {
      forward(whole, body.toString('utf8').replace(/\0$/, ''), '');
      return;
    }
    if (type === 'P') text = body.toString('utf8').split('\0')[1] ?? '';
    if (type === 'B') values = body.toString('utf8');
    if (!['P', 'B', 'D', 'E', 'S', 'C'].includes(type)) {
      forward(whole, null, '');
      return;
    }
    gathered.push(whole);
    if (type !== 'S') return;
    const bytes = Buffer.concat(gathered);
    gathered = [];
    forward(bytes, text, values);
    text = null;
    values = '';
  };
}
