import { allowNulls, bodyProblems } from '../../contract/schema-fields.js';
import { UUID_PATTERN } from '../../contract/fields.js';
import type { EntityName } from '../../domain/names.js';
import { entity, operation } from '../../entities/index.js';
import { ENTITY_NAMES } from '../../entities/registry.js';
import type { ForgottenRecord, KeptRecord } from '../store.js';

/** First line of the file: what follows it. */
export interface Header {
  readonly format: 'placement-sync sandbox';
  readonly version: 1;
  readonly records: number;
  readonly forgotten: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Year 275760, the last that a Date can hold. */
const LAST_MS = 8.64e15;

/** Errors: Error with the problem of the line, to follow its name in a sentence. */
export function parseHeader(line: string): Header {
  const { format, version, records, forgotten } = fieldsOf(line);
  if (format !== 'placement-sync sandbox') throw new Error('is not the head of a sandbox’s data');
  if (version !== 1) throw new Error('has a version that this program does not know');
  if (!isCount(records) || !isCount(forgotten)) throw new Error('does not say how many lines follow');
  return { format, version, records, forgotten };
}

/** A record as it was kept. Errors: as `parseHeader`. */
export function parseRecord(line: string): KeptRecord {
  const fields = fieldsOf(line);
  const kind = kindOf(fields);
  const id = uuidOf(fields, 'id');
  const reference = uuidOf(fields, 'reference');
  const remoteId = uuidOf(fields, 'remoteId');
  const { body, createdAtMs, updatedAtMs, puts } = fields;
  // What a sandbox took with --extra-fields is not lost on one without.
  const schema = operation(entity(kind).put).body;
  const problems = schema === null ? [] : bodyProblems(allowNulls(schema), body);
  // A platform with deviations links its records by something else than UUIDs.
  const { parent } = entity(kind);
  const link = parent === null ? null : `${parent.field}.id`;
  const problem = problems.find(
    ({ code, field }) => code !== 'unknown' && (field !== link || code === 'required'),
  );
  if (problem !== undefined) throw new Error(`has a body whose field ${problem.field} ${problem.message}`);
  if (!isTime(createdAtMs) || !isTime(updatedAtMs)) throw new Error('has an invalid time');
  if (!isCount(puts)) throw new Error('has no number of Puts');
  return { kind, id, reference, remoteId, body: body as KeptRecord['body'], createdAtMs, updatedAtMs, puts };
}

/** How often a record was forgotten. Errors: as `parseHeader`. */
export function parseForgotten(line: string): ForgottenRecord {
  const fields = fieldsOf(line);
  const { times } = fields;
  if (!isCount(times)) throw new Error('does not say how many times');
  return { kind: kindOf(fields), id: uuidOf(fields, 'id'), times };
}

function fieldsOf(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('is not an object');
  return value as Fields;
}

function kindOf({ kind }: Fields): EntityName {
  if (typeof kind !== 'string' || !ENTITY_NAMES.includes(kind)) throw new Error('has an unknown kind');
  return kind;
}

function uuidOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || !UUID_PATTERN.test(value)) throw new Error(`has no UUID as ${name}`);
  return value.toLowerCase();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= LAST_MS;
}
