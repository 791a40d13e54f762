import type { OperationName } from '../../contract/operation.js';
import type { Area } from '../../domain/names.js';
import type { JsonObject } from '../../domain/row.js';
import { clockSkew, type Reply } from '../../domain/reply/reply.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { RunContext } from '../run-context.js';

/** Most requests of one first contact. */
export const MOST_REQUESTS = 20;

export interface ProbeRequest {
  readonly operation: OperationName;
  readonly platformId: string;
  readonly requestId: string;
  readonly body: JsonObject | null;
  readonly wrongSignature?: true;
}

export interface ProbeLane {
  /**
   * Sends one request within the rate of the area; null: it was not sent, because `mayStart` said no when its turn
   * came, or because there were enough.
   */
  send(request: ProbeRequest, mayStart: () => boolean): Promise<Reply | null>;
}

/** Requests of a first contact, one after the other. */
export function createProbeLane(
  { platform, clock, emit }: Pick<RunContext, 'platform' | 'clock' | 'emit'>,
  area: Area,
  rateLimit: RateLimit,
): ProbeLane {
  let sent = 0;
  return {
    send(request, mayStart) {
      const askedAt = clock.monotonic();
      return rateLimit.schedule(async (place) => {
        if (sent >= MOST_REQUESTS || !mayStart()) {
          place.release();
          return null;
        }
        sent += 1;
        const sentAt = clock.monotonic();
        const reply = await platform(area).send({ ...request, onWritten: place.written });
        emit({
          type: 'request-finished',
          area,
          operation: request.operation,
          statusCode: reply.kind === 'answered' ? reply.status : null,
          elapsedMs: clock.monotonic() - sentAt,
          waitedMs: sentAt - askedAt,
          clockSkewMs: reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
        });
        return reply;
      });
    },
  };
}
