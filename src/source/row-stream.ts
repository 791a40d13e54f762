import pg from 'pg';

/** The rows of one statement, as they come. */
export interface RowStream {
  /** After the last row; rejects as the statement does, also when its connection ends while it is held back. */
  readonly ended: Promise<void>;
  /** Lets no further rows come: nothing is read from the connection, so that the server waits. */
  pause(): void;
  resume(): void;
  /** Lets all further rows come, whatever `pause` says. */
  release(): void;
}

/** As far as the driver shows its socket; missing in its types. */
interface DriverClient {
  readonly connection: { readonly stream: { pause(): void; resume(): void } };
}

/**
 * Runs a statement and hands each row to `take` when it arrives, where the driver would collect all of them first. After
 * a pause, what has arrived already still comes: the rows of one packet, 64 KB, or one row that is larger.
 * An answer that takes longer than `limitMs` is an error; time in a pause does not count.
 */
export function openRowStream<T extends pg.QueryResultRow>(
  client: pg.PoolClient,
  config: pg.QueryConfig,
  limitMs: number,
  take: (row: T) => void,
): RowStream {
  const query = new pg.Query<T>(config);
  // An encrypted connection has its own stream, which has replaced the first one by now.
  const { stream } = (client as unknown as DriverClient).connection;
  let paused = false;
  let released = false;
  let giveUp = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => giveUp(), limitMs);
  };
  const resume = () => {
    if (!paused) return;
    paused = false;
    wait();
    stream.resume();
  };
  const release = () => {
    released = true;
    resume();
  };
  const ended = new Promise<void>((resolve, reject) => {
    giveUp = () => reject(new Error('Query read timeout'));
    query.on('row', take);
    query.on('error', reject);
    query.on('end', () => resolve());
    wait();
    client.query(query);
  }).finally(() => {
    // The connection's next statement needs the stream.
    release();
    clearTimeout(timer);
  });
  return {
    ended,
    pause() {
      if (paused || released) return;
      paused = true;
      clearTimeout(timer);
      stream.pause();
    },
    resume,
    release,
  };
}
