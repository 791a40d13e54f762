import { ENTITIES } from '../../entities/index.js';

/** SQL: the records of `s` are changed by an operation that may not be repeated at will. */
export function notRepeatable(s: string): string {
  const names = ENTITIES.filter(({ repeatable }) => !repeatable).map(({ name }) => `'${name}'`);
  return names.length === 0 ? 'false' : `${s}.entity in (${names.join(', ')})`;
}

/**
 * SQL for SET: the `confirm_at` of `s` when its open claim, if it has one, ends without a known outcome. The request
 * may still arrive, even after a newer one was accepted, so what the platform holds is to be confirmed once that can
 * no longer happen: twice the time-out (SQL, milliseconds) after the claim. What may not be repeated is not confirmed.
 */
export function confirmLater(s: string, timeoutMs: string): string {
  return `case when ${s}.claim_token is null or ${notRepeatable(s)} then ${s}.confirm_at
    else greatest(${s}.confirm_at, ${s}.attempted_at + 2 * ${timeoutMs} * interval '1 millisecond') end`;
}
