import type { AreaDeviations } from '../../config/deviations/deviation-schema.js';
import { derivedId } from '../derived-id.js';
import type { StoredRecord } from '../store.js';

type ReferenceSettings = AreaDeviations['reference'];
type Linked = Pick<StoredRecord<unknown>, 'id' | 'reference' | 'remoteId' | 'puts'>;

/** The reference of a record as replies show it; undefined: they do not. Pure. */
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

/** Whether a child's link means this record. A whole number may come as text; earlier references stay valid. Pure. */
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
