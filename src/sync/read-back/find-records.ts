import type { Area } from '../../domain/names.js';
import type { AreaStop } from '../../domain/area-condition.js';
import { backoffDelay, judgeReply } from '../../domain/reply/judge-reply.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import type { ReadBack } from '../../entities/read-back.js';
import type { ReadBackRecord } from '../../ports/read-backs.js';
import type { Place, RateLimit } from '../../ports/rate-limit.js';
import { createAreaGate, type AreaGate } from '../push/area-gate.js';
import type { RunContext } from '../run-context.js';
import { judgeFind, type Found } from './judge-find.js';
import { understoodFind } from './understood-find.js';

/** Tries per record before it counts as unanswered. */
const MOST_TRIES = 3;

/** Shorter than for a push, because a Find changes nothing. */
const LONGEST_WAIT_MS = 5_000;

export interface FindLane {
  /**
   * Reads every record, some at a time, and hands on each result. Ends early when the area stops, the signal aborts, or
   * `handle` gives false. Rejects with the error of `records` or `handle`, once nothing is under way.
   */
  read(
    readBack: ReadBack,
    records: AsyncIterable<ReadBackRecord>,
    handle: (record: ReadBackRecord, found: Found) => Promise<boolean>,
  ): Promise<void>;
  /** Why the area stopped; null: it did not. */
  stop(): AreaStop | null;
  /** The same when nothing more is read: also that no reply to a Find was understood. */
  end(): AreaStop | null;
}

/** Finds of one area: within its rate, with the same pauses and stops as a push. */
export function createFindLane(
  context: Pick<RunContext, 'platform' | 'clock' | 'emit' | 'signal' | 'random' | 'newId' | 'settings'>,
  area: Area,
  rateLimit: RateLimit,
  concurrency: number,
): FindLane {
  const { clock, emit, signal, random, newId } = context;
  const { retry } = context.settings;
  const gate: AreaGate = createAreaGate(area, retry, clock, emit);
  const { replies, own } = context.settings.areas[area] ?? {};
  const rules = configuredRules(replies);
  const platform = context.platform(area);
  const ending = () => signal.aborted || gate.stop() !== null;

  /** Null: the area stopped before an answer. */
  const find = async (readBack: ReadBack, platformId: string): Promise<Found | null> => {
    for (let tries = 0; ;) {
      while (gate.pauseLeft() > 0 && !ending()) await clock.sleep(gate.pauseLeft(), signal);
      const attempt = async (place: Place) => {
        if (ending() || gate.pauseLeft() > 0) {
          place.release();
          return null;
        }
        const request = {
          operation: readBack.find,
          platformId,
          requestId: newId(),
          body: null,
          onWritten: place.written,
        };
        const reply = understoodFind(await platform.send(request), readBack);
        const judgement = judgeReply(
          reply,
          { method: 'GET', now: clock.now(), operation: readBack.find, own },
          rules,
        );
        gate.note(judgement, readBack.find);
        return { judgement, found: judgeFind(reply, judgement) };
      };
      // Its place may be many seconds away: the share of a low rate is small.
      const outcome = await rateLimit.schedule(attempt, false, signal).catch((error: unknown) => {
        if (signal.aborted && error === signal.reason) return null;
        throw error;
      });
      if (outcome?.found) return outcome.found;
      if (ending()) return null;
      if (outcome?.judgement.kind !== 'deferred') continue;
      tries += 1;
      if (tries === MOST_TRIES) return { kind: 'unanswered', message: outcome.judgement.message };
      const delayMs = backoffDelay(tries, retry.baseDelayMs, retry.maxDelayMs, random());
      await clock.sleep(Math.min(delayMs, LONGEST_WAIT_MS), signal);
    }
  };

  return {
    async read(readBack, records, handle) {
      const iterator = records[Symbol.asyncIterator]();
      let over = false;
      const work = async () => {
        while (!over && !ending()) {
          const next = await iterator.next();
          if (next.done) return;
          const found = await find(readBack, next.value.platformId);
          if (found && !(await handle(next.value, found))) over = true;
        }
      };
      const ends = await Promise.allSettled(
        Array.from({ length: concurrency }, async () => {
          try {
            await work();
          } catch (error) {
            over = true;
            throw error;
          }
        }),
      );
      await iterator.return?.();
      const failure = ends.find((end) => end.status === 'rejected');
      if (failure) throw failure.reason;
    },
    stop: () => gate.stop(),
    end() {
      gate.endReading();
      return gate.stop();
    },
  };
}
