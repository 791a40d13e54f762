import { platformDay } from '../../contract/time.js';
import { rateNews } from '../../domain/learned-rate.js';
import { type Condition, type ConflictEnd, endConflict, type HeldRecord } from '../../domain/precondition.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import { configuredRules, nameOwnBlocks } from '../../domain/reply/reply-rules.js';
import type { JsonObject } from '../../domain/row.js';
import { compareReadBack } from '../../entities/compare-read-back.js';
import type { ReadBack } from '../../entities/read-back.js';
import { shownState } from '../../entities/platform-state.js';
import type { Place } from '../../ports/platform.js';
import type { Claim, HeldPayloads } from '../../ports/queue.js';
import { type Found, judgeFind, understoodFind } from '../found.js';
import type { ConfiguredEntity } from '../run-context.js';
import type { AreaGate, AreaPush } from './area-gate.js';
import { composeBody, requestFinished, scheduleUnlessAborted } from './request.js';

/**
 * After a request whose condition the platform refused: what does it hold? And before a record is closed that it never took:
 * does it have it at all (`isAbsent`)?
 *
 * One Find asks for the record, in the next place of the rate (`findNow`). Its content is compared with everything that may
 * be ours: what the platform accepted last, payloads whose outcome a kill left unknown, and the one that is sent now
 * (`differingFields`). An ETag that is not the one of the ledger while the content is ours is no conflict: an attempt without
 * reply had arrived, or the platform counts what it shows of the parent. `endConflict` says what follows.
 */

const NOTHING_SAID = 'the reply to the Find says nothing about it';

interface Refused {
  readonly method: string;
  readonly statusCode: number;
  /** With which it was sent; null: none. */
  readonly condition: Condition | null;
}

export function createConflicts(
  push: AreaPush,
  { gate, ending }: { readonly gate: AreaGate; readonly ending: () => boolean },
) {
  const { area, areaSettings, clock, emit, signal, newId, state, settings } = push;
  const { precondition = 'none', operations = {}, replies } = areaSettings;
  const rules = configuredRules(replies);

  /** Null: nothing was asked, or the area waits or stops. */
  const findNow = (readBack: ReadBack, platformId: string): Promise<Found | null> => {
    const attempt = async (place: Place): Promise<Found | null> => {
      if (ending() || gate.pauseLeft() > 0) {
        place.release();
        return null;
      }
      const operation = readBack.find;
      const requestId = newId();
      const times = { askedAt: clock.monotonic(), sentAt: clock.monotonic() };
      const onWritten = place.written;
      const received = await push
        .platform(area)
        .send({ operation, platformId, requestId, body: null, onWritten });
      const reply = understoodFind(received, readBack);
      place.answered(rateNews(reply, clock.now()));
      emit(requestFinished(area, operation, reply, { ...times, now: clock.monotonic() }));
      const context = { method: 'GET', now: clock.now(), operation, own: areaSettings.own } as const;
      const judgement = judgeReply(reply, context, rules);
      const found = judgeFind(reply, judgement, requestId);
      // What a cache has is no sign that the platform works.
      if (found?.kind !== 'unanswered' || !found.cache) gate.note(judgement, operation);
      if (judgement.kind === 'paused' || judgement.kind === 'stopped') return null;
      return found ?? { kind: 'unanswered', message: NOTHING_SAID };
    };
    return scheduleUnlessAborted(push.rateLimit, attempt, true, signal);
  };

  /** Fields of one body that the platform shows otherwise. One that it refused may be corrected; one that it removed may not. */
  const differingFrom = (
    entity: ConfiguredEntity,
    readBack: ReadBack,
    body: JsonObject,
    data: JsonObject,
  ): readonly string[] => {
    const { statusField, closedStatus, lastDay } = entity;
    const { timeZone } = settings.platform;
    const today = platformDay(clock.now(), timeZone);
    const compared = compareReadBack(readBack, body, data, { today, timeZone, lastDay });
    const stated = { readBack, statusField, closedStatus };
    const { shown, comparison } = shownState(stated, replies?.state ?? null, body, data, compared);
    const fields = comparison.drift.map(({ field }) => field);
    return shown?.state === 'removed' ? [...fields, statusField ?? 'status'] : fields;
  };

  const differingFields = (
    entity: ConfiguredEntity,
    readBack: ReadBack,
    claim: Claim,
    { acknowledged, possible, sameParent }: HeldPayloads,
    { method, data }: { readonly method: string; readonly data: JsonObject },
  ): readonly string[] => {
    const sent = method === 'DELETE' ? null : claim.payload;
    const link = entity.parent;
    const found = [acknowledged, ...possible, sent].flatMap((payload) => {
      if (payload === null) return [];
      const fields = differingFrom(entity, readBack, composeBody(payload, link, claim.parent), data);
      // Under which parent the platform holds it is known only of a record that did not move.
      return [sameParent ? fields : fields.filter((field) => field !== `${link?.field ?? ''}.id`)];
    });
    return found.find((fields) => fields.length === 0) ?? found[0] ?? [];
  };

  /** What the platform holds of the record of a claim. */
  const heldRecord = async (entity: ConfiguredEntity, claim: Claim, method: string): Promise<HeldRecord> => {
    const { readBack } = entity;
    if (readBack === null || operations[readBack.find]?.enabled === false)
      return { kind: 'unreadable', find: readBack?.find ?? 'find' };
    const found = await findNow(readBack, claim.platformId);
    if (found === null) return { kind: 'unasked' };
    if (found.kind === 'unanswered') return found;
    const payloads = await state.queue.held(claim.entity, claim.key);
    if (found.kind === 'missing')
      return { kind: 'missing', ours: payloads.deleted || payloads.possible.includes(null) };
    const { data, etag } = found;
    return {
      kind: 'held',
      etag,
      differing: differingFields(entity, readBack, claim, payloads, { method, data }),
    };
  };

  /** Whether a Find says that the platform has no such record. False also where none can be asked. */
  const isAbsent = async ({ readBack }: ConfiguredEntity, { platformId }: Claim): Promise<boolean> =>
    readBack !== null &&
    operations[readBack.find]?.enabled !== false &&
    (await findNow(readBack, platformId))?.kind === 'missing';

  const end = async (
    entity: ConfiguredEntity,
    claim: Claim,
    { method, statusCode, condition: sent }: Refused,
  ): Promise<ConflictEnd> => {
    const { etag = null, unacknowledged } = claim;
    const held = await heldRecord(entity, claim, method);
    const judged = endConflict({ precondition, method, sent, statusCode, etag, unacknowledged }, held);
    if (judged.kind !== 'unusable') return judged;
    const { message } = judged;
    const hint = nameOwnBlocks(judged.hint, areaSettings.own);
    gate.note({ kind: 'stopped', code: 'request-refused', statusCode, message, hint }, entity.put);
    return { ...judged, hint };
  };
  return { end, isAbsent };
}
