import { ENTITIES } from '../../entities/index.js';

/** SQL: the operation that changes the records of `s` may not be repeated freely. */
export function notRepeatable(s: string): string {
  const names = ENTITIES.filter(({ repeatable }) => !repeatable).map(({ name }) => `'${name}'`);
  return names.length === 0 ? 'false' : `${s}.entity in (${names.join(', ')})`;
}

/**
 * SQL for SET: the `confirm_at` of `s` when its open claim, if it has one, ends without a known outcome. The request
 * may still arrive, even after a newer one was accepted, so a confirmation follows once that can no longer happen:
 * twice the time-out (SQL, milliseconds) after the claim. Operations that may not be repeated get no confirmation.
 */
export function confirmLater(s: string, timeoutMs: string): string {
  return `case when ${s}.claim_token is null or ${notRepeatable(s)} then ${s}.confirm_at
    else greatest(${s}.confirm_at, ${s}.attempted_at + 2 * ${timeoutMs} * interval '1 millisecond') end`;
}
