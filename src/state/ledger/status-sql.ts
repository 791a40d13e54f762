import { ABSENT_HASH } from '../../domain/payload.js';
import type { EntityName } from '../../domain/names.js';
import { childrenOf, ENTITIES } from '../../entities/index.js';

/** SQL: the parent's entity of the record in alias `s`, null for an entity without parent. */
function parentEntitySql(s: string): string {
  const cases = ENTITIES.flatMap(({ name, parent }) =>
    parent ? [`when '${name}' then '${parent.entity}'`] : [],
  );
  return `case ${s}.entity ${cases.join(' ')} end`;
}

/**
 * SQL: joins the parent of `s` as `p` (no row when it has none, or it is absent). `entity`: that of `s`, if known, so
 * that the planner sees a constant.
 */
export function joinParent(s: string, p: string, entity?: EntityName): string {
  const parent = entity === undefined ? parentEntitySql(s) : parentLiteral(entity);
  return `left join :schema:.sync_state ${p} on ${p}.entity = ${parent} and ${p}.platform_id = ${s}.parent_platform_id`;
}

function parentLiteral(entity: EntityName): string {
  const parent = ENTITIES.find(({ name }) => name === entity)?.parent?.entity;
  return parent === undefined ? 'null' : `'${parent}'`;
}

/** SQL: something is desired and the hashes differ. */
const differs = (s: string) =>
  `(${s}.desired_hash is not null and ${s}.desired_hash is distinct from ${s}.acknowledged_hash)`;

/** SQL: there is something to send now, unless the record is blocked. */
const differsOrConfirms = (s: string) => `(${differs(s)} or ${s}.confirm_at <= now())`;

/** SQL: the desired state is absence; that needs no parent. */
export const isDeletion = (s: string) => `(${s}.desired_hash is not distinct from '${ABSENT_HASH}')`;

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

/** SQL: the parent joined as `p` will get no reference without a correction. */
export function parentBlockedSql(p: string): string {
  return `(${p}.entity is null or ${p}.vanished_at is not null or ${p}.invalid_reason is not null
    or (${p}.refused_hash is not null and ${p}.refused_hash is not distinct from ${p}.desired_hash))`;
}

/** SQL: a read-back found that the platform lacks the record in alias `s` or holds another, and has not got it since. */
export const DRIFTED = `s.drifted_at is not null and s.vanished_at is null
  and (s.acknowledged_at is null or s.acknowledged_at < s.drifted_at)`;
