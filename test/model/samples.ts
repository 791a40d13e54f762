import { ABSENT_HASH, canonicalJson, hashPayload } from '../../src/core/domain/payload.js';
import { platformId } from '../../src/core/domain/key.js';
import type { JsonObject } from '../../src/core/domain/row.js';
import { vacancies } from '../../src/core/entities/vacancies.js';
import type { ConfiguredEntity } from '../../src/core/context.js';
import {
  ABSENT,
  isOfOtherParent,
  NOTHING,
  OF_OTHER_PARENT,
  type Hash,
  CLOSED_BY_SOURCE,
  INVALID,
  type SourceValue,
} from './hash.js';

/** The vacancy and the two companies behind the model's numbers: rows, payloads and hashes as the product makes them. */

const NAMESPACE = '6f1f3a52-0d44-4d9b-9d57-3b1b6c1d7a10';
const COMPANIES = ['c', 'other'];
export const KEY = 'v';
const parentNamed = (key: string) => platformId('companies', key, NAMESPACE);
export const PARENT_ID = parentNamed('c');
export const OTHER_PARENT_ID = parentNamed('other');
export const parentId = (other: boolean): string => (other ? OTHER_PARENT_ID : PARENT_ID);
export const PLATFORM_ID = platformId('vacancies', KEY, NAMESPACE);
/** Two of the first parent, and that of the other. */
export const REFERENCES = ['first reference', 'second reference', 'reference of the other parent'];
export const REFERENCE_OF_OTHER = 2;

export const configured: ConfiguredEntity = {
  ...vacancies,
  query: { entity: 'vacancies', sql: '', file: 'queries/vacancies.sql', columns: [] },
  mapContext: { lookups: {}, plainText: [], required: null, namespace: NAMESPACE },
  onVanished: 'delete',
  closedStatus: 'closed',
  requireInbox: false,
  refreshAfterMs: null,
  fingerprint: '',
};

export const rowOf = (source: SourceValue) => ({
  key: KEY,
  company_key: COMPANIES[source === OF_OTHER_PARENT ? 1 : 0] ?? '',
  title: source === INVALID ? null : `Vacancy ${source === CLOSED_BY_SOURCE ? 1 : source}`,
  status: source === CLOSED_BY_SOURCE ? configured.closedStatus : 'open',
});

const mapped = [1, 2, 3].map((source) => {
  const { payload } = vacancies.map(rowOf(source), configured.mapContext);
  if (payload === null) throw new Error('the sample row is invalid');
  return payload;
});
/** The payload of each hash; null: it has none. */
export const PAYLOADS: readonly (JsonObject | null)[] = [
  null,
  ...mapped,
  null,
  ...mapped.map((payload) => ({ ...payload, status: configured.closedStatus })),
];
export const HASHES: readonly (string | null)[] = PAYLOADS.map((payload, hash) =>
  hash === ABSENT
    ? ABSENT_HASH
    : payload && hashPayload(payload, { field: 'employer', platformId: parentId(isOfOtherParent(hash)) }),
);

export function hashCode(hash: string | null): Hash {
  const code = HASHES.indexOf(hash);
  if (code < 0) throw new Error(`unknown hash ${String(hash)}`);
  return code;
}

const texts = PAYLOADS.map((payload) => payload && canonicalJson(payload));
export function payloadCode(payload: JsonObject | null): Hash {
  const code = payload === null ? NOTHING : texts.indexOf(canonicalJson(payload));
  if (code < 0) throw new Error(`unknown payload ${JSON.stringify(payload)}`);
  return code;
}
