import { parse } from 'csv-parse/sync';
import { foldCode } from '../../src/entities/lookup.js';
import { referenceId } from './write-configuration.js';

export interface FilledLookup {
  readonly csv: string;
  /** Ids that the draft had filled in and that an engineer calls wrong. */
  readonly wrong: readonly string[];
}

/** Fills the empty ids of a drafted lookup, and adds codes that it does not have. */
export function fillLookup(draft: string, decided: Readonly<Record<string, string>>): FilledLookup {
  const rows = parse<Record<'code' | 'id', string>>(draft, { columns: true });
  const ids = new Map(Object.entries(decided).map(([code, id]) => [foldCode(code), referenceId(id)]));
  const wrong = rows.flatMap(({ code, id }) => {
    const right = ids.get(foldCode(code));
    return id !== '' && right !== undefined && id !== right ? [`${code}: ${id} is not ${right}`] : [];
  });
  const drafted = new Set(rows.map(({ code }) => foldCode(code)));
  const lines = [
    ...rows.map(({ code, id }) => [code, id === '' ? (ids.get(foldCode(code)) ?? '') : id]),
    ...[...ids].filter(([code]) => !drafted.has(code)),
  ].map((cells) => cells.map(cell).join(','));
  return { csv: `${['code,id', ...lines].join('\n')}\n`, wrong };
}

function cell(text = ''): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
