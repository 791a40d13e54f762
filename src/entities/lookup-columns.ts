/** Columns whose value is a UUID from the platform's catalogue. A lookup of any other column gives the platform's word. */
const UUID_COLUMNS: ReadonlySet<string> = new Set([
  'industry',
  'region_id',
  'job_type',
  'job_function',
  'min_education',
]);

/** Whether a column holds a list, of which a lookup may leave out single elements. */
export function holdsList(column: string): boolean {
  return column === 'skills';
}

/** Whether a lookup for this column must hold UUIDs in its `id` column. */
export function holdsUuid(column: string): boolean {
  return UUID_COLUMNS.has(column);
}
