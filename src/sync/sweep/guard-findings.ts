import type { GuardFindings } from '../../domain/guard/judge-guards.js';
import type { EntityPlan } from '../entity-plan.js';
import type { ChangeTally } from './change-tally.js';

/** What a sweep counted, as the guards see it: records whose last day was past may vanish. Pure. */
export function guardFindings(
  { read, known, vanished, expired, settledAnew, newlyInvalid }: ChangeTally,
  { onVanished }: Pick<EntityPlan, 'onVanished'>,
): GuardFindings {
  return {
    read,
    known,
    vanished: Math.max(0, vanished - expired),
    settledAnew,
    newlyInvalid,
    mayBeEmpty: onVanished === 'ignore',
  };
}
