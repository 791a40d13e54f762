import { parse } from 'csv-parse/sync';
import { SyncError } from '../domain/errors.js';
import { foldCode } from './fold-code.js';
import type { Lookup } from './lookup.js';

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads a lookup: CSV with a header that names `code` and `id` (further columns are ignored). In `id`: a platform id
 * or word; empty = undecided; `-` = leave the field out. The code `*` stands for every other code.
 *
 * @param file as the configuration names it, for messages
 * @throws SyncError `config-invalid` with every problem of the file and its line
 */
export function readLookup(csvText: string, file: string): Lookup {
  const [header, ...rows] = parseCsv(csvText, file);
  const names = (header?.record ?? []).map((name) => name.trim().toLowerCase());
  const [code, id] = [names.indexOf('code'), names.indexOf('id')];
  if (code < 0 || id < 0) {
    const semicolons = names.length === 1 && names[0]?.includes(';');
    throw refusal(file, [
      semicolons
        ? 'its columns are separated by semicolons; save it as CSV with commas'
        : `its first line must name the columns code and id, not: ${names.join(', ') || 'nothing'}`,
    ]);
  }
  const entries = new Map<string, string>();
  const lines = new Map<string, number>();
  const problems: string[] = [];
  for (const { record, info } of rows) {
    const written = record[code] ?? '';
    const folded = foldCode(written);
    const before = lines.get(folded);
    if (folded === '') problems.push(`line ${info.lines}: the code is empty`);
    else if (before !== undefined) {
      problems.push(
        `line ${info.lines}: the code "${written.trim()}" is the same as in line ${before} (case and blanks do not count)`,
      );
    } else {
      entries.set(folded, (record[id] ?? '').trim());
      lines.set(folded, info.lines);
    }
  }
  if (problems.length > 0) throw refusal(file, problems);
  return { file, entries };
}

function parseCsv(text: string, file: string): readonly CsvRecord[] {
  try {
    return parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    throw refusal(file, [error instanceof Error ? error.message : String(error)]);
  }
}

function refusal(file: string, problems: readonly string[]): SyncError {
  return new SyncError('config-invalid', `${file}: ${problems.join('; ')}`, {
    scope: 'usage',
    hint: 'A lookup is CSV with the columns code and id.',
    details: { file, problems },
  });
}
