import type { AreaDeviations } from '../../config/deviations.js';
import { putAt, removeAt } from '../request.js';
import { derivedId, type StoredRecord } from '../store.js';

/** Records as the platform of a rehearsal shows them, and the references by which children name them. */

/**
 * `data` of a Find as this platform shows it.
 * @param data as the interface has it, or an echo; it is not changed
 * @param shownOf the reference to show instead of one of the store; undefined: none
 */
export function shownFind(
  data: object,
  { find, reference }: Pick<AreaDeviations, 'find' | 'reference'>,
  shownOf: (reference: unknown) => unknown,
): Fields {
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

export type Fields = Record<string, unknown>;

/** Objects of the interface that may be without value. */
const OBJECTS = new Set(['industry', 'job_type', 'job_function', 'min_education', 'region']);

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
