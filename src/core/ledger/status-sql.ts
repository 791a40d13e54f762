import type { EntityName } from '../domain/names.js';
import { ABSENT_HASH } from '../domain/payload.js';
import { childrenOf, ENTITIES, isAboutApplications } from '../entities/index.js';

/**
 * Expressions that many statements on the ledger share, as SQL with the aliases that they are about. What a record's status
 * is follows from its row and its parent's, and is stored nowhere; what may be claimed, closed, confirmed or sent again
 * follows from the same columns.
 */

/** How the records of an entity end: fields of the body; null: it has none. */
export interface EndingEntity {
  readonly name: EntityName;
  readonly lastDay: string | null;
  readonly statusField: string | null;
  /** The status of one that is closed. */
  readonly closedStatus: string;
}

/**
 * SQL: the derived status of the record in alias `s`, whose parent is joined as `p`. The one expression behind
 * the claim, `status` and `explain`, so that they can never disagree.
 */
export function statusSql(s: string, p: string): string {
  return `case
    when ${s}.vanished_at is not null
      and (${s}.desired_hash is null or (${s}.desired_hash is not distinct from ${s}.acknowledged_hash and ${s}.confirm_at is null))
      then 'vanished'
    when ${s}.invalid_reason is not null then 'invalid'
    when ${s}.refused_hash is not distinct from ${s}.desired_hash and ${s}.refused_hash is not null then 'rejected'
    when ${s}.parent_platform_id is not null and ${p}.reference is null and ${differsOrConfirms(s)} and not ${isDeletion(s)} then 'waiting'
    when ${s}.next_attempt_at > now() and ${differsOrConfirms(s)} then 'deferred'
    when ${differsOrConfirms(s)} then 'pending'
    else 'synced' end`;
}

/** SQL: there is something to send now, unless the record is blocked. */
const differsOrConfirms = (s: string) => `(${differs(s)} or ${s}.confirm_at <= now())`;

/** SQL: something is desired and the hashes differ. */
const differs = (s: string) =>
  `(${s}.desired_hash is not null and ${s}.desired_hash is distinct from ${s}.acknowledged_hash)`;

/** SQL: the desired state is absence; that needs no parent. */
export const isDeletion = (s: string) => `(${s}.desired_hash is not distinct from '${ABSENT_HASH}')`;

/**
 * SQL: joins the parent of `s` as `p` (no row when it has none, or it is absent). `entity`: that of `s`, if known, so
 * that the planner sees a constant.
 */
export function joinParent(s: string, p: string, entity?: EntityName): string {
  const parent = entity === undefined ? parentEntitySql(s) : parentLiteral(entity);
  return `left join :schema:.sync_state ${p} on ${p}.entity = ${parent} and ${p}.platform_id = ${s}.parent_platform_id`;
}

/** SQL: the parent's entity of the record in alias `s`, null for an entity without parent. */
function parentEntitySql(s: string): string {
  const cases = ENTITIES.flatMap(({ name, parent }) =>
    parent ? [`when '${name}' then '${parent.entity}'`] : [],
  );
  return `case ${s}.entity ${cases.join(' ')} end`;
}

function parentLiteral(entity: EntityName): string {
  const parent = ENTITIES.find(({ name }) => name === entity)?.parent?.entity;
  return parent === undefined ? 'null' : `'${parent}'`;
}

/**
 * SQL: `s` is to be deleted, and a child of it is still in the source or has something to send: children are settled
 * before their parents, so that none loses its parent. The platform may still hold a child of another desired parent
 * under this one, and a child whose attempts had no reply under any parent that it had meanwhile.
 */
export function childrenFirstSql(s: string): string {
  const unsettled = 'child.vanished_at is null or child.sendable or child.claim_token is not null';
  const moved = `child.acknowledged_parent_platform_id is distinct from child.parent_platform_id
    and child.acknowledged_hash is distinct from '${ABSENT_HASH}'`;
  return `(${isDeletion(s)} and (${hasChildrenSql(s, unsettled)}
    or ${hasChildrenSql(s, moved, `child.acknowledged_parent_platform_id = ${s}.platform_id`)}
    or ${hasChildrenSql(s, unsettled, `child.possible_parents is not null and ${s}.platform_id = any(child.possible_parents)`)}))`;
}

/** SQL: the condition on `child` holds for a record whose parent is `s`, or that is `linked` to it. */
export function hasChildrenSql(
  s: string,
  condition = 'true',
  linked = `child.parent_platform_id = ${s}.platform_id`,
): string {
  const cases = ENTITIES.flatMap(({ name }) => {
    const children = childrenOf(name).map((child) => `'${child.name}'`);
    return children.length > 0 ? [`when '${name}' then array[${children.join(', ')}]`] : [];
  });
  return `exists (select 1 from :schema:.sync_state child
    where child.entity = any(case ${s}.entity ${cases.join(' ')} end)
      and ${linked} and (${condition}))`;
}

/** SQL: the parent joined as `p` will get no reference without a correction. */
export function parentBlockedSql(p: string): string {
  return `(${p}.entity is null or ${p}.vanished_at is not null or ${p}.invalid_reason is not null
    or (${p}.refused_hash is not null and ${p}.refused_hash is not distinct from ${p}.desired_hash))`;
}

/** SQL: the platform cannot have the record in alias `s`, because nothing of it was ever sent. */
export function neverThereSql(s: string): string {
  return `(${s}.attempted_at is null and ${s}.acknowledged_at is null and ${s}.claim_token is null)`;
}

/**
 * SQL: the record in alias `s` vanished, and the platform never took it, as far as anybody knows: no outcome is open. It may
 * have it from somebody else, so it is asked before anything is created there in order to be closed.
 */
export function mayBeAbsentSql(s: string): string {
  return `(${s}.vanished_at is not null and ${s}.acknowledged_at is null and ${s}.confirm_at is null
    and ${s}.reference is null)`;
}

/** SQL: why the parent joined as `p` does not come: a `LedgerParentProblem`. */
export function parentProblemSql(p: string): string {
  return `case when ${p}.entity is null then 'parent-absent' when ${p}.vanished_at is not null then 'parent-vanished'
    when ${p}.invalid_reason is not null then 'parent-invalid' else 'parent-rejected' end`;
}

/** SQL: the operation that changes the records of `s` may not be repeated freely. */
export function notRepeatable(s: string): string {
  const names = ENTITIES.filter(({ repeatable }) => !repeatable).map(({ name }) => `'${name}'`);
  return names.length === 0 ? 'false' : `${s}.entity in (${names.join(', ')})`;
}

/** SQL: `s` is about a person's application. */
export function isOfPerson(s: string): string {
  const names = ENTITIES.filter(({ name }) => isAboutApplications(name)).map(({ name }) => `'${name}'`);
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

/**
 * SQL: when a record becomes due again, as a share of the period: between half of it and all of it, always the same for
 * one key, so that records loaded together are not sent again together.
 */
const SHARE = '(0.5 + (hashtextextended(s.key, 0) & 65535) / 131072.0)';

/**
 * SQL: the record in alias `s` is older than `:after` milliseconds lets it be, and neither closed nor past its last day.
 * It also takes `:entity`, `:today`, `:lastDay`, `:statusField` and `:closedStatus`.
 */
export function refreshDueSql({ lastDay, statusField }: EndingEntity): string {
  return [
    // The platform shows a word that was not sent: a person decides.
    "s.entity = :entity and s.settled and s.platform_state is distinct from 'other'",
    "and s.acknowledged_at < now() - 0.5 * :after * interval '1 millisecond'",
    `and s.acknowledged_at < now() - ${SHARE} * :after * interval '1 millisecond'`,
    lastDay === null ? '' : 'and coalesce(s.desired_payload ->> :lastDay, :today) >= :today',
    statusField === null ? '' : 'and s.desired_payload ->> :statusField is distinct from :closedStatus',
  ].join(' ');
}

/**
 * SQL: the reference of the record in alias `p` as JSON. The column has it as text; what is kept of the reply says whether
 * the platform gave a number, and children name it as the platform does.
 */
export function referenceSql(p: string): string {
  return `case when ${p}.acknowledged_reply ->> 'reference' = ${p}.reference
    then ${p}.acknowledged_reply -> 'reference' else to_jsonb(${p}.reference) end`;
}

/**
 * SQL: the platform shows what it accepted of `s` as refused or removed, and nothing else was judged since: only a person
 * sends it again. Such a record is rejected.
 */
export function takenDownSql(s: string): string {
  return `(coalesce(${s}.platform_state, '') in ('refused', 'removed') and ${s}.vanished_at is null and ${s}.invalid_reason is null
    and ${s}.refused_hash is not null and ${s}.refused_hash is not distinct from ${s}.desired_hash)`;
}

/** SQL: a read-back found that the platform lacks the record in alias `s` or holds another, and has not got it since. */
export const DRIFTED = `s.drifted_at is not null and s.vanished_at is null
  and (s.acknowledged_at is null or s.acknowledged_at < s.drifted_at)`;

/** SQL: a finding of this sweep of this entity. */
export const OWN_FINDINGS = 'sweep_token = :token and sweep_nonce = :nonce and entity = :entity';
