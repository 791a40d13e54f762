import type { OperationName } from '../contract/operation.js';
import { type Area, AREAS } from '../domain/names.js';
import { ENTITIES, operation, OPERATIONS } from '../entities/index.js';
import { isLoopback } from '../runtime/loopback.js';
import { pathText, type Problem, type SettingPath, valueAt } from './problem.js';

/**
 * The rules that concern more than one setting (`checkRules`), and what is allowed but unusual (`warnings`). They look at the
 * data as written, perhaps with mistakes, so that all problems are reported together.
 */

/** Blocks that say how the platform speaks: of both areas, and of one. */
const BLOCKS: readonly SettingPath[] = [['platform'], ...AREAS.map((area) => ['platform', area])];

export function checkRules(data: unknown): Problem[] {
  return [
    ...checkAnyEntity(data),
    ...checkParentsAndAreas(data),
    ...AREAS.flatMap((area) => [...checkHttp(data, area), ...checkClientCertificate(data, area)]),
    ...checkPuts(data),
    ...checkMethods(data),
    ...checkDeletes(data),
    ...checkNotify(data),
    ...checkStatusRetention(data),
  ];
}

/** Without the inbox nobody knows that a status was sent once its record is gone. */
function checkStatusRetention(data: unknown): Problem[] {
  const path: SettingPath = ['state', 'statusRetention'];
  const open = ENTITIES.find(
    ({ name, application }) => application && valueAt(data, ['entities', name, 'requireInbox']) === false,
  );
  if ((valueAt(data, path) ?? null) === null || !open) return [];
  const message = `cannot be combined with entities.${open.name}.requireInbox: false, because the statuses would be sent again`;
  return [{ path, message }];
}

function checkAnyEntity(data: unknown): Problem[] {
  const entities = valueAt(data, ['entities']);
  const none = typeof entities === 'object' && entities !== null && Object.keys(entities).length === 0;
  const message = 'configures no entity, so there is nothing to do; begin with companies';
  return none ? [{ path: ['entities'], message }] : [];
}

function checkParentsAndAreas(data: unknown): Problem[] {
  const configured = ENTITIES.filter(({ name }) => valueAt(data, ['entities', name]) !== undefined);
  const orphans = configured.flatMap(({ name, parent }) => {
    if (parent === null || configured.some((other) => other.name === parent.entity)) return [];
    const message = `needs the entity ${parent.entity}; configure entities.${parent.entity}`;
    return [{ path: ['entities', name], message }];
  });
  const missing = AREAS.flatMap((area) => {
    const names = configured.filter((entity) => entity.area === area).map(({ name }) => name);
    const absent = (valueAt(data, ['platform', area]) ?? null) === null;
    if (names.length === 0 || !absent) return [];
    const message = `is required, because ${names.join(' and ')} go there: baseUrl, clientId and clientSecret`;
    return [{ path: ['platform', area], message }];
  });
  return [...orphans, ...missing];
}

/** Personal data and signatures must not travel in the clear; the operator's own hosts redirect http anyway. */
function checkHttp(data: unknown, area: string): Problem[] {
  const path: SettingPath = ['platform', area, 'baseUrl'];
  const url = urlAt(data, path);
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
  if (isOperatorHost(url.hostname))
    return [{ path, message: 'must begin with https://; the operator of the platform accepts nothing else' }];
  if (valueAt(data, ['platform', area, 'allowHttp']) === true) return [];
  return [
    { path, message: 'must begin with https:// (http:// only on this machine, or with allowHttp: true)' },
  ];
}

/** Only TLS has a certificate to show; without this word a forgotten `s` would read as a refusal of the platform. */
function checkClientCertificate(data: unknown, area: Area): Problem[] {
  const path: SettingPath = ['platform', area, 'baseUrl'];
  const shown = valueAt(data, blockOf(data, area, 'clientCertificate')) ?? null;
  if (shown === null || urlAt(data, path)?.protocol !== 'http:') return [];
  return [{ path, message: 'must begin with https://, because a client certificate is shown only there' }];
}

function urlAt(data: unknown, path: SettingPath): URL | null {
  const value = valueAt(data, path);
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
}

/** Whether a host belongs to the operator of the platform, who serves HTTPS only. */
export function isOperatorHost(hostname: string): boolean {
  // `example.com.` names the same host as `example.com`.
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === 'kemnaker.go.id' || host.endsWith('.kemnaker.go.id');
}

/** Where a block of the dialect is that counts for an area. */
function blockOf(data: unknown, area: Area, name: string): SettingPath {
  const own: SettingPath = ['platform', area, name];
  return valueAt(data, own) === undefined ? ['platform', name] : own;
}

/** An entity without the operation that sends it would keep its records pending for ever. */
function checkPuts(data: unknown): Problem[] {
  const configured = ENTITIES.filter(({ name }) => valueAt(data, ['entities', name]) !== undefined);
  return configured.flatMap(({ name, area, put }) => {
    if (operationEnabled(put, overrideOf(data, area, put))) return [];
    const message = `must not be false while entities.${name} is configured, because this operation sends its records`;
    return [{ path: [...overridePath(data, area, put), 'enabled'], message }];
  });
}

/**
 * Whether an operation may be used. Deletes are off until the configuration names them: their paths are assumed.
 * `override`: the block `platform.operations.<name>`; undefined without one.
 */
export function operationEnabled(name: OperationName, override: unknown): boolean {
  const { enabledByDefault } = operation(name);
  if (typeof override !== 'object' || override === null) return enabledByDefault;
  const { enabled } = override as { readonly enabled?: unknown };
  return enabled !== false;
}

function overrideOf(data: unknown, area: Area, name: string): unknown {
  return valueAt(data, overridePath(data, area, name));
}

/** Where the configuration speaks about an operation: in its area's block if that names operations, else in the common one. */
function overridePath(data: unknown, area: Area, name: string): SettingPath {
  const own = valueAt(data, ['platform', area, 'operations']) === undefined ? [] : [area];
  return ['platform', ...own, 'operations', name];
}

/** A GET carries no body, so the record would be missing. */
function checkMethods(data: unknown): Problem[] {
  return Object.values(OPERATIONS).flatMap(({ name, hasBody }) =>
    BLOCKS.flatMap((block) => {
      const path = [...block, 'operations', name, 'method'];
      const message = 'must not be GET, because this operation sends a body';
      return hasBody && valueAt(data, path) === 'GET' ? [{ path, message }] : [];
    }),
  );
}

/** A delete needs its operation, and must not remove the parent of children that stay. */
function checkDeletes(data: unknown): Problem[] {
  const policy = (name: string) => valueAt(data, ['entities', name, 'onVanished']) ?? 'report';
  const deleting = ENTITIES.filter(({ name }) => policy(name) === 'delete');
  return deleting.flatMap((entity) => {
    const path = ['entities', entity.name, 'onVanished'];
    if (entity.delete === null)
      return [{ path, message: 'the platform has no operation that deletes these' }];
    const problems: Problem[] = [];
    if (!operationEnabled(entity.delete, overrideOf(data, entity.area, entity.delete))) {
      problems.push({
        path,
        message: `"delete" needs the operation: set platform.operations.${entity.delete} to { enabled: true } (its path is assumed; see docs/openapi.yaml)`,
      });
    }
    for (const child of ENTITIES.filter(({ parent }) => parent?.entity === entity.name)) {
      if (valueAt(data, ['entities', child.name]) === undefined) continue;
      if (['close', 'delete'].some((word) => word === policy(child.name))) continue;
      const words = child.statusField === null ? '"delete"' : '"close" or "delete"';
      problems.push({
        path,
        message: `"delete" needs entities.${child.name}.onVanished to be ${words}, so that no record is left without its parent`,
      });
    }
    return problems;
  });
}

/**
 * A notice describes problems of this installation and carries a signature, so both travel encrypted; it goes unsigned only
 * by an explicit null, or to this machine.
 */
function checkNotify(data: unknown): Problem[] {
  const path: SettingPath = ['notify', 'url'];
  const secret: SettingPath = ['notify', 'secret'];
  const url = urlAt(data, path);
  if (url === null || isLoopback(url.hostname)) return [];
  return [
    ...(url.protocol === 'http:'
      ? [{ path, message: 'must begin with https:// (http:// only on this machine)' }]
      : []),
    ...(valueAt(data, secret) === undefined
      ? [{ path: secret, message: 'is required with notify.url; null: its receiver checks no signature' }]
      : []),
  ];
}

/** Allowed, but the worker warns about it at every start. */
export function warnings(data: unknown): string[] {
  const unencrypted = AREAS.flatMap((area) => {
    const url = urlAt(data, ['platform', area, 'baseUrl']);
    if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
    return `platform.${area}.allowHttp is on: requests and personal data travel unencrypted to ${url.host}`;
  });
  const nil = '00000000-0000-0000-0000-000000000000';
  const found = [...unencrypted, ...changedOperations(data)];
  if (valueAt(data, ['ids', 'namespace']) !== nil) return found;
  return [
    ...found,
    'ids.namespace is the nil UUID; use one of your own (uuidgen), because partners who share a namespace overwrite each other’s records',
  ];
}

/** Operations that the platform specifies in full, but the configuration changes. */
function changedOperations(data: unknown): string[] {
  return Object.values(OPERATIONS).flatMap(({ name, area, method, path, certainty }) => {
    if (certainty.method !== 'specified' || certainty.path !== 'specified') return [];
    const override = overrideOf(data, area, name);
    const setting = pathText(overridePath(data, area, name));
    const text = (key: string, specified: string): string => {
      const own = valueAt(override, [key]);
      return typeof own === 'string' ? own : specified;
    };
    const sent = `${text('method', method)} ${text('path', path)}`;
    const specified = `${method} ${path}`;
    return sent === specified ? [] : [`${setting} sends ${sent}; the platform specifies ${specified}`];
  });
}
