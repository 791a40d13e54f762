import type { OperationName } from '../contract/operation.js';
import { HEADER_NAMES } from '../contract/request-headers.js';
import { maySignWord, SECRET_ENCODINGS, secretProblem } from '../contract/signature.js';
import { type Area, AREAS } from '../domain/names.js';
import { DEFAULT_ACCEPTED } from '../domain/reply/reply.js';
import { ENTITIES, operation, OPERATIONS } from '../entities/index.js';
import { isLoopback } from '../runtime/loopback.js';
import { entriesOf, pathText, type Problem, type SettingPath, valueAt } from './problem.js';
import { UNSET_CREDENTIAL } from './secrets.js';

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
    ...BLOCKS.flatMap((block) => checkSignature(data, [...block, 'signature'])),
    ...AREAS.flatMap((area) => [...checkSecrets(data, area), ...checkHeaderNames(data, area)]),
    ...checkPuts(data),
    ...checkMethods(data),
    ...checkDeletes(data),
    ...checkWebhookHeaders(data),
    ...checkChallenge(data),
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

/** Profile or template, not both: the file must show which one counts. */
function checkSignature(data: unknown, block: SettingPath): Problem[] {
  const path: SettingPath = [...block, 'template'];
  if ((valueAt(data, path) ?? null) === null) return [];
  const problems: Problem[] = [];
  if (valueAt(data, [...block, 'profile']) !== undefined)
    problems.push({ path, message: 'cannot be combined with a profile; keep one of the two' });
  const string = valueAt(data, [...path, 'string']);
  const hasDigest = typeof string === 'string' && string.includes('{digest}');
  if (hasDigest && valueAt(data, [...path, 'digest']) === 'none')
    problems.push({ path: [...path, 'digest'], message: 'cannot be none, because the string has {digest}' });
  return problems;
}

/** Node decodes what it can of such a text, and would sign with that. Webhooks are signed as requests of the job area are. */
function checkSecrets(data: unknown, area: Area): Problem[] {
  const written = valueAt(data, [...blockOf(data, area, 'signature'), 'secretEncoding']);
  const encoding = SECRET_ENCODINGS.find((each) => each === written);
  if (encoding === undefined) return [];
  const webhooks = area === 'jobs' ? valueAt(data, ['webhook', 'secrets']) : [];
  const paths: SettingPath[] = [
    ['platform', area, 'clientSecret'],
    ...(Array.isArray(webhooks) ? webhooks.map((_, index) => ['webhook', 'secrets', index]) : []),
  ];
  return paths.flatMap((path) => {
    const secret = valueAt(data, path);
    if (typeof secret !== 'string' || secret === UNSET_CREDENTIAL) return [];
    const problem = secretProblem(secret, encoding);
    return problem === null ? [] : [{ path, message: `${problem}, which signature.secretEncoding says` }];
  });
}

/** Where a block of the dialect is that counts for an area. */
function blockOf(data: unknown, area: Area, name: string): SettingPath {
  const own: SettingPath = ['platform', area, name];
  return valueAt(data, own) === undefined ? ['platform', name] : own;
}

/** One header has one value, so each of the four needs a name that no other header has. */
function checkHeaderNames(data: unknown, area: Area): Problem[] {
  if ((valueAt(data, ['platform', area]) ?? null) === null) return [];
  const path: SettingPath = [...blockOf(data, area, 'signature'), 'headerNames'];
  const hasToken = (valueAt(data, blockOf(data, area, 'oauth')) ?? null) !== null;
  const given = Object.entries(HEADER_NAMES).map(([part, name]): [string, string] => {
    const other = valueAt(data, [...path, part]);
    return [part, (typeof other === 'string' ? other : name).toLowerCase()];
  });
  const headers = blockOf(data, area, 'headers');
  const digest = valueAt(data, [...blockOf(data, area, 'signature'), 'digestHeader', 'name']);
  if (typeof digest === 'string') given.push(['digestHeader', digest.toLowerCase()]);
  const fixed = entriesOf(valueAt(data, headers)).map(([name]) => name.toLowerCase());
  const usual = Object.values(HEADER_NAMES).map((name) => name.toLowerCase());
  const condition = fixed.find((name) => name === 'if-match' || name === 'if-none-match');
  const asked = valueAt(data, blockOf(data, area, 'precondition')) ?? 'none';
  if (condition !== undefined && asked !== 'none')
    return [
      { path: headers, message: `must not have ${condition} beside precondition, which sends its own` },
    ];
  if (hasToken && fixed.includes('authorization'))
    return [
      { path: headers, message: 'must not have Authorization beside oauth, which puts its token there' },
    ];
  return given.flatMap(([part, name], at) => {
    // The schema refuses a fixed header with one of the usual names.
    const isFixed = fixed.includes(name) && !usual.includes(name);
    const taken = isFixed || given.slice(0, at).some(([, other]) => other === name);
    const message = `is the name of another header, too; upper and lower case are the same`;
    if (!taken) return [];
    return [
      { path: part === 'digestHeader' ? [...path.slice(0, -1), part, 'name'] : [...path, part], message },
    ];
  });
}

/** The same of a webhook. */
function checkWebhookHeaders(data: unknown): Problem[] {
  const path: SettingPath = ['webhook', 'headerNames'];
  const names = Object.entries(HEADER_NAMES).map(([part, name]): [string, string] => {
    const other = valueAt(data, [...path, part]);
    return [part, (typeof other === 'string' ? other : name).toLowerCase()];
  });
  return names.flatMap(([part, name], at) =>
    names.slice(0, at).some(([, other]) => other === name)
      ? [
          {
            path: [...path, part],
            message: 'is the name of another header, too; upper and lower case are the same',
          },
        ]
      : [],
  );
}

/** Anybody gets the HMAC of a challenge, so it must be the signature of nothing, of a request neither. */
function checkChallenge(data: unknown): Problem[] {
  const path: SettingPath = ['webhook', 'challenge', 'answer'];
  if (valueAt(data, path) !== 'hmac') return [];
  const isUnsafe = BLOCKS.some((block) => {
    const string = valueAt(data, [...block, 'signature', 'template', 'string']);
    return typeof string === 'string' && maySignWord(string);
  });
  const message =
    'cannot be hmac, because what signature.template signs may look like a challenge: its HMAC would be a signature';
  return isUnsafe ? [{ path, message }] : [];
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

/** A notice describes problems of this installation and carries a signature, so both travel encrypted. */
function checkNotify(data: unknown): Problem[] {
  const path: SettingPath = ['notify', 'url'];
  const url = urlAt(data, path);
  if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
  return [{ path, message: 'must begin with https:// (http:// only on this machine)' }];
}

/** Allowed, but the worker warns about it at every start. */
export function warnings(data: unknown): string[] {
  const unencrypted = AREAS.flatMap((area) => {
    const url = urlAt(data, ['platform', area, 'baseUrl']);
    if (url?.protocol !== 'http:' || isLoopback(url.hostname)) return [];
    return `platform.${area}.allowHttp is on: requests and personal data travel unencrypted to ${url.host}`;
  });
  const lenient = AREAS.filter((area) => valueAt(data, ['platform', area, 'lenientHttp']) === true).map(
    (area) =>
      `platform.${area}.lenientHttp is on: replies that are not valid HTTP are read; ask the operator of the platform to correct them`,
  );
  const nil = '00000000-0000-0000-0000-000000000000';
  const found = [...unencrypted, ...lenient, ...changedOperations(data)];
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
    const accepted = valueAt(override, ['accepted']);
    return [
      ...(sent === specified ? [] : [`${setting} sends ${sent}; the platform specifies ${specified}`]),
      ...(!Array.isArray(accepted) || accepted.every((status) => DEFAULT_ACCEPTED.includes(Number(status)))
        ? []
        : [`${setting} takes HTTP ${accepted.join(', ')} for success; the platform specifies 200`]),
    ];
  });
}
