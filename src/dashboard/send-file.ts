import type { Emit } from '../core/domain/events.js';
import type { DashboardRequest } from './dashboard-request.js';
import { PATIENCE_MS, readFor } from './shell.js';

/*
 * A file that a page hands out: sent part by part, so that however long it is, little of it is in memory.
 */

/**
 * The answer with a CSV file of these parts. What fails before its first two parts are there is an error, and still a page
 * that says so; what fails later ends the connection, because a file that was cut off must not look like a whole one.
 */
export async function sendCsv(
  c: DashboardRequest,
  name: string,
  parts: AsyncGenerator<string, void, undefined>,
  emit: Emit,
): Promise<Response> {
  const head = await readFor(c, () => parts.next());
  const first = await readFor(c, () => parts.next());
  const { outgoing } = c.env;
  const body = bodyOf([head, first], parts, (why) => {
    if (!outgoing.destroyed)
      emit({ type: 'warning', message: `The file ${name} was cut off: ${(why as Error).message}` });
    outgoing.destroy();
  });
  return c.body(body, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

/** How long a client may leave a part of a file lying, milliseconds. */
const TAKING_MS = 30_000;

/**
 * A body of these parts, each read when the client has taken the ones before. A part that fails, and a client that takes no
 * more, are an end for `cutOff`, which gets the reason.
 */
function bodyOf(
  ready: readonly IteratorResult<string, void>[],
  parts: AsyncGenerator<string, void, undefined>,
  cutOff: (why: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting = [...ready];
  let leaving: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(leaving);
    // It ends with the part that is being read.
    void parts.return().catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        clearTimeout(leaving);
        try {
          const part = waiting.shift() ?? (await inTime(parts.next()));
          if (part.done === true) return stream.close();
          stream.enqueue(encoder.encode(part.value));
          leaving = setTimeout(() => cutOff(new Error('the client took no more of it')), TAKING_MS);
        } catch (error) {
          cutOff(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** As a page, a part of a file waits no longer for the database. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
