import { parse } from 'csv-parse/sync';

/** One value of the platform's catalogue. */
export interface ReferenceValue {
  readonly code: string;
  readonly id: string;
  readonly name: string;
}

/** The values of a file of `config/reference`: columns `code`, `id` and `name`. */
export function readReference(csvText: string): readonly ReferenceValue[] {
  return parse(csvText, { bom: true, columns: true, skip_empty_lines: true }) as unknown as ReferenceValue[];
}
