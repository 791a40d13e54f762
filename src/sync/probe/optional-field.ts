import { valueAt } from '../../domain/reply/refusal.js';
import type { FoundRecord } from '../../domain/probe/seen.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/**
 * A text of the body that can be left out for a moment: the entity does not need it, and the Find has shown it as it was
 * sent. The longest of them, because it is a description and not an address. Null: there is none. Pure.
 */
export function optionalField(
  { label, statusField, lastDay, columns, assumedRequired, mapContext, readBack }: ConfiguredEntity,
  payload: Readonly<Record<string, unknown>>,
  found: FoundRecord | null,
): { readonly field: string; readonly column: string; readonly read: string } | null {
  const required = mapContext.required ?? assumedRequired;
  const kept = new Set([label, statusField, lastDay]);
  const candidates = (readBack?.fields ?? []).flatMap(({ sent: field, read, rule }) => {
    const column = columns.find(({ name, field: filled }) => (filled ?? name) === field);
    const text = valueAt(payload, field);
    if (read === null) return [];
    const usable =
      rule === 'text' &&
      column !== undefined &&
      typeof text === 'string' &&
      text.trim() !== '' &&
      !field.includes('.') &&
      !column.required &&
      !required.includes(column.name) &&
      !kept.has(field) &&
      found?.shown.some((each) => each.field === field) === true &&
      !found.differing.includes(field);
    return usable ? [{ field, column: column.name, read, length: text.length }] : [];
  });
  const [longest] = candidates.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : { field: longest.field, column: longest.column, read: longest.read };
}
