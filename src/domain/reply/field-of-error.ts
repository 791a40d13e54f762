import { oneLine } from './one-line.js';

/** Names under which one error says which field of the body it is about, the surest first. */
const NAMES = [
  'field',
  'property',
  'attribute',
  'parameter',
  'param',
  'pointer',
  'path',
  'loc',
  'name',
  'key',
];

/** Where services say that the body itself begins: no part of the field's name. */
const BEGINNINGS = ['#', 'body', 'data', 'attributes'];

/** The dotted field that one error of a list is about; null: it names none. Pure. */
export function fieldOfError(error: Readonly<Record<string, unknown>>): string | null {
  const { source } = error;
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    const found = fieldOfError(source as Readonly<Record<string, unknown>>);
    if (found !== null) return found;
  }
  for (const name of NAMES) {
    const field = dotted(error[name]);
    if (field !== null) return field;
  }
  return null;
}

/** `/data/attributes/region/id`, `['body', 'region', 'id']` and `region.id` are the same. */
function dotted(value: unknown): string | null {
  const steps =
    typeof value === 'string'
      ? value.split(value.includes('/') ? '/' : '.')
      : Array.isArray(value)
        ? value.filter((step) => typeof step === 'string' || typeof step === 'number').map(String)
        : [];
  const named = steps.map(oneLine).filter((step) => step !== '');
  while (named.length > 1 && BEGINNINGS.includes(named[0] ?? '')) named.shift();
  const field = named.join('.');
  // A sentence is no field.
  return field === '' || field.length > 120 || /\s/.test(field) ? null : field;
}
