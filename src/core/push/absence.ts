import { rateNews } from '../domain/learned-rate.js';
import { judgeReply } from '../domain/reply/judge-reply.js';
import type { Place } from '../ports/platform.js';
import type { Claim } from '../ledger/queue/types.js';
import { judgeFind, understoodFind } from './found.js';
import type { ConfiguredEntity } from '../context.js';
import type { AreaGate, AreaPush } from './area-gate.js';
import { requestFinished, scheduleUnlessAborted } from './request.js';

/**
 * Before a record is closed that the platform never took: does it have it at all? One Find asks, in the next place of the
 * rate. Gives true only when the platform says that there is no such record; false also where it cannot be asked.
 */
export function createIsAbsent(
  push: AreaPush,
  { gate, ending }: { readonly gate: AreaGate; readonly ending: () => boolean },
): (entity: ConfiguredEntity, claim: Claim) => Promise<boolean> {
  const { area, areaSettings, clock, emit, signal, newId } = push;
  const { operations = {}, own } = areaSettings;
  return async ({ readBack }, { key, platformId }) => {
    if (readBack === null || operations[readBack.find]?.enabled === false) return false;
    const operation = readBack.find;
    const attempt = async (place: Place): Promise<boolean> => {
      if (ending() || gate.pauseLeft() > 0) {
        place.release();
        return false;
      }
      const requestId = newId();
      const times = { askedAt: clock.monotonic(), sentAt: clock.monotonic() };
      const request = { operation, key, platformId, requestId, body: null, onWritten: place.written };
      const reply = understoodFind(await push.platform(area).send(request), readBack);
      place.answered(rateNews(reply, clock.now()));
      emit(requestFinished(area, operation, reply, { ...times, now: clock.monotonic() }));
      const judgement = judgeReply(reply, { method: 'GET', now: clock.now(), operation, own });
      const found = judgeFind(reply, judgement, requestId);
      // What a cache has is no sign that the platform works.
      if (found?.kind !== 'unanswered' || !found.cache) gate.note(judgement, operation);
      return found?.kind === 'missing' && judgement.kind !== 'stopped';
    };
    return (await scheduleUnlessAborted(push.rateLimit, attempt, true, signal)) ?? false;
  };
}
