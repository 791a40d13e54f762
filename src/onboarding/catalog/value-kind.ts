import type { ValueKind } from './catalog.js';

const KINDS: Readonly<Record<string, ValueKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  money: 'number',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
  hstore: 'json',
  bytea: 'bytes',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  char: 'text',
  name: 'text',
  citext: 'text',
};

/**
 * Kind of a type by its name and its category in `pg_type`; the type of a domain is that of its base.
 *
 * @param typeType `typtype`: `e` for an enum
 * @param category `typcategory`: `A` for an array, `R` for a range
 */
export function valueKind(name: string, typeType: string, category: string): ValueKind {
  if (typeType === 'e') return 'enum';
  if (category === 'A') return 'array';
  if (category === 'R') return 'range';
  return KINDS[name] ?? (category === 'S' ? 'text' : 'other');
}
