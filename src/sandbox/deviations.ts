import { type AreaDeviations, DEVIATIONS_FILE, type DeviationsInput } from '../config/deviations.js';
import type { Operation, Operations } from '../contract/operation.js';
import { type Area, AREAS } from '../domain/names.js';
import { type Answer, refusal } from './answer.js';
import { areaDialect, type AreaDialect, type DialectOptions } from './deviations/area-dialect.js';
import { type Match, operationFinder } from './find-operation.js';
import { headerOf, type Headers, putAt, removeAt } from './request.js';
import { derivedId, type StoredRecord } from './store.js';

/** Everything in which the platform of a rehearsal differs now. */
export interface ActiveDeviations {
  of(area: Area): AreaDeviations;
  dialect(area: Area): AreaDialect;
  /** Every operation, with the methods and paths in force. */
  operations(): Operations;
  findOperation(method: string, path: string): Match | null;
  /** Others from the next request on. Throws a SyncError `usage` when they are not as in a deviations file. */
  replace(input: DeviationsInput): void;
  /** As they were written. */
  report(): DeviationsInput;
}

/**
 * @param operations methods and paths without deviations
 * @param dialects signature and paths of each area without deviations
 */
export function createActiveDeviations(
  initial: DeviationsInput,
  operations: Operations,
  dialects: Readonly<Record<Area, DialectOptions>>,
): ActiveDeviations {
  const read = (input: DeviationsInput) => {
    const deviations = DEVIATIONS_FILE.checked(input);
    const spoken = Object.fromEntries(
      AREAS.map((area) => [area, areaDialect(dialects[area], deviations[area].requests)]),
    ) as Record<Area, AreaDialect>;
    const served = Object.values(operations).map((each) => deviated(each, deviations[each.area]));
    return {
      input,
      deviations,
      spoken,
      operations: Object.fromEntries(served.map((each) => [each.name, each])),
      find: operationFinder(
        served.map((operation) => ({ operation, prefixes: spoken[operation.area].prefixes })),
      ),
    };
  };
  let now = read(initial);
  return {
    of: (area) => now.deviations[area],
    dialect: (area) => now.spoken[area],
    operations: () => now.operations,
    findOperation: (method, path) => now.find(method, path),
    replace: (input) => {
      now = read(input);
    },
    report: () => now.input,
  };
}

function deviated(operation: Operation, { operations }: AreaDeviations): Operation {
  const { method = operation.method, path = operation.path } = operations[operation.name] ?? {};
  return { ...operation, method, path };
}

type ErrorSettings = AreaDeviations['errors'];

/** What a refusal says, apart from its shape. */
interface Words {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  /** Sentences by field. */
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A refusal as this platform writes it, with its status and code. Anything else stays as it is. */
export function refusalAnswer(answer: Answer, errors: ErrorSettings): Answer {
  const { body, reason } = answer;
  if (reason === undefined && answer.status < 400) return answer;
  if (typeof body === 'string' || !('message' in body) || typeof body.message !== 'string') return answer;
  const set = reason === undefined ? undefined : errors[reason];
  const status = set?.status ?? answer.status;
  const { errors: fields } = body as { readonly errors?: Words['fields'] };
  const words: Words = { status, code: set?.code, message: body.message, fields };
  return { ...answer, status, ...shaped(words, errors.shape) };
}

function shaped(words: Words, shape: ErrorSettings['shape']): Pick<Answer, 'body' | 'headers'> {
  const { code, message, fields, status } = words;
  const coded = code === undefined ? {} : { code };
  const fielded = fields === undefined ? {} : { errors: fields };
  switch (shape) {
    case 'message':
      return { body: { ...coded, message, ...fielded } };
    case 'error':
      return { body: { ...coded, error: sentence(words) } };
    case 'error.message':
      return { body: { error: { ...coded, message: sentence(words) } } };
    case 'errors':
      return { body: { errors: listOf(words).map((each) => ({ ...coded, ...each })) } };
    case 'problem':
      return {
        body: { type: 'about:blank', title: code ?? message, status, detail: sentence(words) },
        headers: { 'content-type': 'application/problem+json' },
      };
    case 'nested':
      return {
        body: { status: { ...coded, reason: { description: message } }, failures: listOf(words) },
      };
    case 'text':
      return { body: withCode(words) };
    case 'html':
      return {
        body: `<!doctype html>\n<html><head><title>Error</title></head><body><p>${escaped(withCode(words))}</p></body></html>\n`,
      };
  }
}

/** Everything that is wrong, in one text. */
function sentence({ message, fields }: Words): string {
  return fields === undefined ? message : Object.values(fields).flat().join(' ');
}

function withCode(words: Words): string {
  return words.code === undefined ? sentence(words) : `${words.code}: ${sentence(words)}`;
}

function listOf({ message, fields }: Words): readonly object[] {
  if (fields === undefined) return [{ message }];
  return Object.entries(fields).flatMap(([field, texts]) => texts.map((text) => ({ field, message: text })));
}

/** A field's name comes from the client. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

type Fields = Record<string, unknown>;

/** Objects of the interface that may be without value. */
const OBJECTS = new Set(['industry', 'job_type', 'job_function', 'min_education', 'region']);

/**
 * `data` of a Find as this platform shows it.
 * @param data as the interface has it, or an echo; it is not changed
 * @param shownOf the reference to show instead of one of the store; undefined: none
 */
export function shownFind(
  data: object,
  { find, reference }: Pick<AreaDeviations, 'find' | 'reference'>,
  shownOf: (reference: unknown) => unknown,
): object {
  const show = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(show);
    if (typeof value === 'string' && find.shorten !== null && value.includes(' '))
      return value.length > find.shorten ? `${value.slice(0, find.shorten)}…` : value;
    if (typeof value !== 'object' || value === null) return value;
    const shown: Fields = {};
    for (const [field, inner] of Object.entries(value)) {
      if (field === 'reference') {
        const instead = shownOf(inner);
        if (instead !== undefined) putAt(shown, reference.field, instead);
      } else if (isRegion(field, inner)) {
        if (find.region !== 'none')
          shown[field] = find.region === 'record' ? show(inner) : plainRegion(inner);
      } else {
        const empty = inner === null && find.nulls === 'objects' && OBJECTS.has(field);
        shown[field] = empty ? { id: null, name: null } : show(inner);
      }
    }
    return shown;
  };
  const shown = show(data) as Fields;
  for (const path of find.hidden) removeAt(shown, path);
  return shown;
}

interface RegionRecord {
  readonly regionable_type?: unknown;
  readonly regionable_id?: unknown;
  readonly type?: unknown;
  readonly regionable?: { readonly province: { readonly country: { readonly code: string } } };
}

function isRegion(field: string, value: unknown): value is RegionRecord {
  return field === 'region' && typeof value === 'object' && value !== null;
}

function plainRegion(region: RegionRecord): object {
  // An echo has the request's own.
  if (region.type !== undefined) return region;
  const country = region.regionable?.province.country.code ?? 'ID';
  return {
    type: region.regionable_type,
    id: region.regionable_id,
    country_code: country === 'ID' ? null : country,
  };
}

type ReferenceSettings = AreaDeviations['reference'];
type Linked = Pick<StoredRecord<unknown>, 'id' | 'reference' | 'remoteId' | 'puts'>;

/** The reference of a record as replies show it; undefined: they do not. */
export function shownReference(
  { reference, puts }: Linked,
  { form }: ReferenceSettings,
): string | number | undefined {
  const hex = reference.replaceAll('-', '');
  switch (form) {
    case 'uuid':
      return reference;
    case 'number':
      return Number.parseInt(hex.slice(0, 10), 16);
    case 'text':
      return `REF-${hex.slice(0, 12).toUpperCase()}`;
    case 'changing':
      return derivedId('changing reference', `${reference}#${String(puts)}`);
    case 'none':
      return undefined;
  }
}

/** Whether a child's link means this record. A whole number may come as text; earlier references stay valid. */
export function isNamedBy(link: unknown, record: Linked, settings: ReferenceSettings): boolean {
  const named = String(link).toLowerCase();
  const children = settings.children ?? (settings.form === 'none' ? 'platform-id' : 'reference');
  if (children === 'platform-id') return named === record.id;
  if (children === 'id') return named === record.remoteId;
  const earlier = settings.form === 'changing' ? record.puts : 1;
  return Array.from({ length: earlier }, (_, back) => ({ ...record, puts: record.puts - back })).some(
    (each) => String(shownReference(each, settings)).toLowerCase() === named,
  );
}

/** What was done, which decides the status. */
export type Done = 'created' | 'updated' | 'deleted' | 'found';

/**
 * The answer to a request that was processed: 200 with the envelope of interface §1, or as this platform has it.
 * @param data null: there is no such record, and the platform says so with a 200
 */
export function acceptedAnswer(
  data: object | null,
  done: Done,
  clientIp: string,
  replies: AreaDeviations['replies'],
): Answer {
  const status = done === 'found' ? 200 : replies[done];
  if (done !== 'found' && replies.body === 'empty') return { status, body: '', message: null };
  const body: Record<string, unknown> = {};
  if (replies.envelope === 'none') Object.assign(body, data);
  else putAt(body, replies.envelope, data);
  if (replies.meta) body.meta = { client_ip: clientIp, hostname: 'sandbox', version: 'v1' };
  return { status, body, message: null };
}

type Body = Readonly<Record<string, unknown>>;

/** The body that a platform holds which merges: a field that was not sent stays, null clears one. */
export function mergedBody(held: Body | null, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  // No prototype: a client may name a field __proto__.
  const merged = Object.assign(Object.create(null), held, sent) as Record<string, unknown>;
  for (const [field, value] of Object.entries(merged)) if (value === null) delete merged[field];
  return merged;
}

/** The refusal of a gateway that asks for headers of its own; null: all are there. */
export function missingHeader(headers: Headers, asked: Readonly<Record<string, string>>): Answer | null {
  const wrong = Object.entries(asked).find(([name, value]) => headerOf(headers, name) !== value);
  return wrong === undefined ? null : refusal(401, `The gateway needs the header ${wrong[0]}`);
}

const WINDOW_MS = 60_000;

/** Counts the requests of an area in each minute, for headers that say how many are left. */
export function createRateCounter(): (
  settings: AreaDeviations['rate'],
  nowMs: number,
) => Record<string, string> {
  let window = 0;
  let count = 0;
  return ({ limit, names }, nowMs) => {
    if (limit === null) return {};
    const current = Math.floor(nowMs / WINDOW_MS);
    if (current !== window) count = 0;
    window = current;
    count += 1;
    return {
      [`${names}-limit`]: String(limit),
      [`${names}-remaining`]: String(Math.max(0, limit - count)),
      ...(names === 'ratelimit'
        ? { 'ratelimit-reset': String(Math.ceil(((window + 1) * WINDOW_MS - nowMs) / 1000)) }
        : {}),
    };
  };
}
