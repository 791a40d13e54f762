import { isUnreachable, type Trouble, TROUBLE_KINDS } from '../domain/trouble/trouble.js';
import type { GatheredEntity } from '../sync/troubles.js';

export type HealthState =
  | 'ok'
  | 'sending'
  | 'attention'
  | 'held'
  | 'failed'
  | 'refused'
  | 'interrupted'
  | 'stopped'
  | 'stale'
  | 'new';

/** The state of an entity, by its troubles and those of its area. Pure. */
export function judgeHealth(entity: GatheredEntity, troubles: readonly Trouble[]): HealthState {
  const { name, area, counts, state } = entity;
  const own = troubles.filter(
    ({ subject }) => subject && ('area' in subject ? subject.area === area : subject.entity === name),
  );
  const has = (...kinds: readonly Trouble['kind'][]) => own.some(({ kind }) => kinds.includes(kind));
  const left = counts ? counts.pending + counts.waiting - counts.blocked + counts.deferred : 0;
  if (has('held', 'push-held')) return 'held';
  if (has('failed')) return 'failed';
  if (has('auth-refused') && left > 0) return 'refused';
  if (own.some(isUnreachable) && left > 0) return 'interrupted';
  if (has('area-stopped') && left > 0) return 'stopped';
  if (has('stale')) return 'stale';
  if (own.some((one) => 'entity' in (one.subject ?? {}) && !TROUBLE_KINDS[one.kind].passes))
    return 'attention';
  if (left > 0) return 'sending';
  return state.lastSweepAt === null ? 'new' : 'ok';
}
