import { judgeReply } from '../domain/reply/judge-reply.js';
import type { ConfiguredEntity } from '../context.js';
import type { Claim } from '../ledger/queue/types.js';
import { exchange } from './exchange.js';
import { judgeFind, understoodFind } from './found.js';
import type { AreaGate } from './gate.js';
import type { PushOptions } from './push-options.js';

/**
 * Before a record is closed that the platform never took: does it have it at all? One Find asks, in the next place of the
 * rate. Gives true only when the platform says that there is no such record; false also where it cannot be asked.
 */
export async function isAbsent(
  push: PushOptions,
  gate: Pick<AreaGate, 'note'>,
  mayLeave: () => boolean,
  { readBack }: ConfiguredEntity,
  { key, platformId }: Claim,
): Promise<boolean> {
  const { operations = {}, own } = push.areaSettings;
  if (readBack === null || operations[readBack.find]?.enabled === false) return false;
  const operation = readBack.find;
  const requestId = push.newId();
  const request = { operation, key, platformId, requestId, body: null };
  const absent = await exchange(push, request, {
    urgent: true,
    mayLeave,
    understand: (reply) => understoodFind(reply, readBack),
    judge(reply) {
      const judgement = judgeReply(reply, { method: 'GET', now: push.clock.now(), operation, own });
      const found = judgeFind(reply, judgement, requestId);
      // What a cache has is no sign that the platform works.
      if (found?.kind !== 'unanswered' || !found.cache) gate.note(judgement, operation);
      return found?.kind === 'missing' && judgement.kind !== 'stopped';
    },
  });
  return absent ?? false;
}
