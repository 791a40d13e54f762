import { createReadStream } from 'node:fs';
import { SyncError } from '../../domain/errors.js';
import type { ForgottenRecord, KeptRecord, StoreContents } from '../store.js';
import { parseForgotten, parseHeader, parseRecord, type Header } from './parse-line.js';

/**
 * What was kept in the file; null: there is no file.
 * Errors: SyncError `usage` for a file that is broken, naming the line; nothing of it is used then.
 */
export async function readData(path: string): Promise<StoreContents | null> {
  const records: KeptRecord[] = [];
  const forgotten: ForgottenRecord[] = [];
  const seen = new Set<string>();
  let header: Header | null = null;
  let number = 0;
  try {
    for await (const line of linesOf(path)) {
      number += 1;
      if (header === null) {
        header = parseHeader(line);
      } else if (records.length < header.records) {
        const record = parseRecord(line);
        claim(seen, `${record.kind}/${record.id}`);
        claim(seen, `${record.kind}/reference/${record.reference}`);
        records.push(record);
      } else if (forgotten.length < header.forgotten) {
        forgotten.push(parseForgotten(line));
      } else {
        throw new Error('is one more than the file should have');
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code !== undefined) throw broken(`${path} cannot be read: ${message}.`, error);
    throw broken(`${path}: line ${Math.max(number, 1)} ${message}.`, error);
  }
  if (header === null) throw broken(`${path} is empty.`);
  const missing = header.records + header.forgotten - records.length - forgotten.length;
  if (missing > 0) throw broken(`${path} is cut short: ${missing} lines are missing at its end.`);
  return { records, forgotten };
}

function claim(seen: Set<string>, name: string): void {
  if (seen.has(name)) throw new Error('repeats a record');
  seen.add(name);
}

function broken(message: string, cause?: unknown): SyncError {
  return new SyncError('usage', message, {
    scope: 'usage',
    hint: 'The file was left as it is. Restore it from a copy, or move it away to start without records.',
    cause,
  });
}

/** Lines end at line feeds alone: text in JSON may hold the other ends of lines that readline knows. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new Error('or a line soon after it is not UTF-8');
    }
  };
  let rest = '';
  for await (const chunk of createReadStream(path)) {
    const lines = (rest + decode(chunk as Buffer)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decode();
  if (rest !== '') yield rest;
}
