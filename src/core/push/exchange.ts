import type { OperationName } from '../contract/operation.js';
import type { SyncEvent } from '../domain/events.js';
import { rateNews } from '../domain/learned-rate.js';
import type { Area } from '../domain/names.js';
import { clockSkew, type Reply } from '../domain/reply/reply.js';
import type { RunContext } from '../context.js';
import { NOT_SENT, type Place, type PlatformRequest, type RateLimit } from '../ports/platform.js';

/** Where the requests to an area leave. */
export interface Lane extends Pick<RunContext, 'platform' | 'clock'> {
  readonly area: Area;
  readonly rateLimit: RateLimit;
  /** Gets `request-finished`; absent: it is not reported. */
  readonly emit?: RunContext['emit'];
  /** Ends the wait for a place, which may be far ahead, behind a pause of the platform or of a low rate. */
  readonly signal?: AbortSignal;
}

interface Exchange<T> {
  /** The next place of the rate. */
  readonly urgent?: boolean;
  /** Asked when the place has come; false: it is given back, and nothing is sent. */
  readonly mayLeave: () => boolean;
  /** The reply as it is understood; absent: as it came. */
  readonly understand?: (reply: Reply) => Reply;
  /** Whether the reply asks to slow down although its status does not say so; absent: never. */
  readonly slowsDown?: (reply: Reply) => boolean;
  /** Judges and notes the reply, still in its place: the next one in the queue already sees what follows. */
  readonly judge: (reply: Reply, slowsDown: boolean) => T;
}

/** One request: it waits for its place in the rate, is sent, reported and judged. Null: nothing was sent. */
export function exchange<T>(
  { platform, clock, area, rateLimit, emit, signal }: Lane,
  request: PlatformRequest,
  { urgent = false, mayLeave, understand = (reply) => reply, slowsDown = () => false, judge }: Exchange<T>,
): Promise<T | null> {
  const askedAt = clock.monotonic();
  const attempt = async (place: Place): Promise<T | null> => {
    if (!mayLeave()) {
      place.release();
      return null;
    }
    const sentAt = clock.monotonic();
    const reply = understand(await platform(area).send({ ...request, onWritten: place.written }));
    if (reply.kind === 'unreachable' && reply.code === NOT_SENT) {
      place.release();
      return null;
    }
    const slows = slowsDown(reply);
    const news = rateNews(reply, clock.now());
    place.answered(slows ? { ...news, verdict: 'limited' } : news);
    emit?.(requestFinished(area, request.operation, reply, { askedAt, sentAt, now: clock.monotonic() }));
    return judge(reply, slows);
  };
  return rateLimit.schedule(attempt, urgent, signal).catch((error: unknown) => {
    if (signal?.aborted && error === signal.reason) return null;
    throw error;
  });
}

/** `times`: monotonic; `askedAt` is when its place in the rate was asked for. */
function requestFinished(
  area: Area,
  operation: OperationName,
  reply: Reply,
  { askedAt, sentAt, now }: { readonly askedAt: number; readonly sentAt: number; readonly now: number },
): SyncEvent {
  return {
    type: 'request-finished',
    area,
    operation,
    statusCode: reply.kind === 'answered' ? reply.status : null,
    elapsedMs: now - sentAt,
    waitedMs: sentAt - askedAt,
    clockSkewMs: reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
  };
}
