import type { Operation, OperationName, Operations } from '../contract/operation.js';
import { type Issue, issueText } from '../domain/issue.js';
import { type Area, AREAS, type EntityName } from '../domain/names.js';
import type { EntityReport } from '../domain/outcome.js';
import { ABSENT_HASH } from '../domain/payload.js';
import type { Entity } from './entity.js';
import { REGISTRY } from './registry.js';

/** Every kind of record the worker knows, parents before their children. */
export const ENTITIES: readonly Entity[] = await Promise.all(Object.values(REGISTRY).map((load) => load()));

const BY_NAME: ReadonlyMap<EntityName, Entity> = new Map(ENTITIES.map((each) => [each.name, each]));

/** The entity of this name. Throws for a name that is not in the registry: the configuration refuses it first. */
export function entity(name: EntityName): Entity {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new TypeError(`there is no entity ${name} in the registry`);
  return found;
}

/** The entities whose records have a parent of this one; none for most. */
export function childrenOf(parent: EntityName): readonly Entity[] {
  return ENTITIES.filter((each) => each.parent?.entity === parent);
}

/** Whether its records are about job applications, and so personal; false for a name that is not in the registry. */
export function isAboutApplications(name: EntityName): boolean {
  return BY_NAME.get(name)?.application ?? false;
}

/** Everything the platform lists, entity by entity (interface §4). */
export const OPERATIONS: Operations = Object.fromEntries(
  ENTITIES.flatMap(({ operations }) => operations.map((each) => [each.name, each])),
);

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS);

/**
 * The operation of this name, among those of a configuration or of the contract. Throws for a name that no contract
 * has: the configuration refuses it first.
 */
export function operation(name: OperationName, among: Operations = OPERATIONS): Operation {
  const found = among[name];
  if (found === undefined) throw new TypeError(`there is no operation ${name} in the contract`);
  return found;
}

/** The operation that brings the platform to what this hash stands for. */
export function operationOf(
  entity: Pick<Entity, 'put' | 'delete' | 'repeatable'>,
  hash: string | null,
): { readonly operation: OperationName; readonly method: 'PUT' | 'PATCH' | 'DELETE' } {
  if (hash === ABSENT_HASH && entity.delete !== null) return { operation: entity.delete, method: 'DELETE' };
  return { operation: entity.put, method: entity.repeatable ? 'PUT' : 'PATCH' };
}

/** The area of a first contact. */
export const FIRST_CONTACT_AREA: Area = AREAS[0];

/** The kinds of record that a first contact sends: a parent of the job-placement area, and the child that names it. */
export function firstContact(): { readonly parent: Entity; readonly child: Entity } {
  for (const parent of ENTITIES.filter(({ area }) => area === FIRST_CONTACT_AREA)) {
    const [child] = childrenOf(parent.name);
    if (child) return { parent, child };
  }
  throw new TypeError('no entity of the area has children');
}

/** The counters of an entity before anything is counted. */
export function emptyReport(entity: EntityName): EntityReport {
  return {
    read: 0,
    unchanged: 0,
    new: 0,
    changed: 0,
    vanished: 0,
    invalid: 0,
    ...(isAboutApplications(entity) ? { foreign: 0 } : {}),
    sent: 0,
    accepted: 0,
    rejected: 0,
    deferred: 0,
    waiting: 0,
    pending: 0,
    held: false,
    error: null,
  };
}

/** An issue as one line. Without the value where the record is about an application: the value is personal. */
export function issueLine(entity: EntityName, issue: Issue): string {
  return issueText(isAboutApplications(entity) ? { ...issue, value: undefined } : issue);
}

/**
 * What lists and troubles show of the last failure: the platform's words, but of an application only the status,
 * because its words may be about the applicant.
 */
export function shownError(
  entity: EntityName,
  error: string | null,
  statusCode: number | null,
): string | null {
  if (error === null || !isAboutApplications(entity)) return error;
  return statusCode === null ? null : `HTTP ${statusCode}`;
}
