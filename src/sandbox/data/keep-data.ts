import { createReadStream, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UUID_PATTERN } from '../../contract/fields.js';
import { allowNulls, bodyProblems } from '../../contract/schema-fields.js';
import { SyncError } from '../../domain/errors.js';
import type { EntityName } from '../../domain/names.js';
import { entity, operation } from '../../entities/index.js';
import { ENTITY_NAMES } from '../../entities/registry.js';
import {
  createStore,
  type ForgottenRecord,
  type KeptRecord,
  type Store,
  type StoreContents,
} from '../store.js';
import { lockFolder } from './lock-folder.js';

/** Name of the file in the folder. */
const DATA_FILE = 'sandbox.jsonl';

/** A store whose contents are kept in a folder. */
interface OpenData {
  readonly store: Store;
  /** Writes what is not written yet, and gives the folder back. Errors: SyncError `unexpected` when writing fails. */
  close(): Promise<void>;
}

/**
 * Opens a store over a folder, which is created when it is missing. Only this process uses the folder until `close`.
 * @param onFailure called when the file could not be written; it is tried again Errors: SyncError `usage` for a
 *   folder that is in use or cannot be used, and for a broken file, which stays as it is.
 */
export async function openData(folder: string, onFailure: (error: Error) => void): Promise<OpenData> {
  const path = join(folder, DATA_FILE);
  const unlock = lock(folder);
  try {
    const contents = await readData(path);
    const store = createStore({ contents, onChange: () => kept.changed() });
    const kept = keepData({ path, contents: () => store.contents(), onFailure });
    return {
      store,
      close: () =>
        kept
          .flush()
          .catch((error: unknown) => {
            throw unwritten(path, error);
          })
          .finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function unwritten(path: string, cause: unknown): SyncError {
  return new SyncError('unexpected', `${path} could not be written: ${(cause as Error).message}.`, {
    scope: 'run',
    hint: 'It holds the last successful write; later changes are lost.',
    cause,
  });
}

function lock(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof SyncError) throw error;
    throw new SyncError('usage', `${folder} cannot hold data: ${(error as Error).message}.`, {
      scope: 'usage',
      hint: 'Name a folder that this user may write.',
      cause: error,
    });
  }
}

/** Writes what changed, a little later. */
interface KeptData {
  /** To be called when the contents changed. */
  changed(): void;
  /** Writes what is not written yet. Rejects with Node's own error when that fails. */
  flush(): Promise<void>;
}

interface KeepDataOptions {
  readonly path: string;
  /** The contents of this moment: a copy. */
  readonly contents: () => StoreContents;
  /** The file could not be written. It is tried again. */
  readonly onFailure: (error: Error) => void;
}

/** Shortest time from a change to its writing. */
const PAUSE_MS = 500;
/** Writing takes at most about a tenth of the time, however much there is to write. */
const PAUSE_PER_WRITE = 10;
const PAUSE_AFTER_FAILURE_MS = 10_000;

/** Keeps a file in step with contents that change. All changes of a pause are written at once. */
function keepData({ path, contents, onFailure }: KeepDataOptions): KeptData {
  let dirty = false;
  let pauseMs = PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (!dirty) return;
    dirty = false;
    const start = performance.now();
    try {
      await writeData(path, contents());
    } catch (error) {
      dirty = true;
      pauseMs = PAUSE_AFTER_FAILURE_MS;
      throw error;
    }
    pauseMs = Math.max(PAUSE_MS, PAUSE_PER_WRITE * (performance.now() - start));
  }

  function schedule(): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      writing = write()
        .catch((error: unknown) => onFailure(error as Error))
        .finally(() => {
          timer = null;
          if (dirty) schedule();
        });
    }, pauseMs);
    // `flush` writes the rest: the timer must not delay the end of the process.
    timer.unref();
  }

  return {
    changed() {
      dirty = true;
      schedule();
    },
    async flush() {
      await writing;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await write();
    },
  };
}

/** So many records at a time become text, so that requests are answered in between. */
const BATCH = 200;

/**
 * Replaces the file as a whole: readers find the old contents or the new ones, also after a crash. Rejects with
 * Node's own error, and then the old file is still there.
 */
async function writeData(path: string, { records, forgotten }: StoreContents): Promise<void> {
  const header: Header = {
    format: 'placement-sync sandbox',
    version: 1,
    records: records.length,
    forgotten: forgotten.length,
  };
  const beside = `${path}.tmp`;
  try {
    const file = await open(beside, 'w');
    try {
      const lines = [header, ...records, ...forgotten];
      for (let start = 0; start < lines.length; start += BATCH) {
        const batch = lines.slice(start, start + BATCH);
        await file.writeFile(batch.map((line) => `${JSON.stringify(line)}\n`).join(''));
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/**
 * What was kept in the file; null: there is no file.
 * Errors: SyncError `usage` for a file that is broken, naming the line; nothing of it is used then.
 */
async function readData(path: string): Promise<StoreContents | null> {
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

/** First line of the file: what follows it. */
interface Header {
  readonly format: 'placement-sync sandbox';
  readonly version: 1;
  readonly records: number;
  readonly forgotten: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Year 275760, the last that a Date can hold. */
const LAST_MS = 8.64e15;

/** Errors: Error with the problem of the line, to follow its name in a sentence. */
function parseHeader(line: string): Header {
  const { format, version, records, forgotten } = fieldsOf(line);
  if (format !== 'placement-sync sandbox') throw new Error('is not the head of a sandbox’s data');
  if (version !== 1) throw new Error('has a version that this program does not know');
  if (!isCount(records) || !isCount(forgotten)) throw new Error('does not say how many lines follow');
  return { format, version, records, forgotten };
}

/** A record as it was kept. Errors: as `parseHeader`. */
function parseRecord(line: string): KeptRecord {
  const fields = fieldsOf(line);
  const kind = kindOf(fields);
  const id = uuidOf(fields, 'id');
  const reference = uuidOf(fields, 'reference');
  const remoteId = uuidOf(fields, 'remoteId');
  const { body, createdAtMs, updatedAtMs, puts } = fields;
  // What a sandbox took with --extra-fields is not lost on one without.
  const schema = operation(entity(kind).put).body;
  const problems = schema === null ? [] : bodyProblems(allowNulls(schema), body);
  // A platform with deviations links its records by something else than UUIDs.
  const { parent } = entity(kind);
  const link = parent === null ? null : `${parent.field}.id`;
  const problem = problems.find(
    ({ code, field }) => code !== 'unknown' && (field !== link || code === 'required'),
  );
  if (problem !== undefined) throw new Error(`has a body whose field ${problem.field} ${problem.message}`);
  if (!isTime(createdAtMs) || !isTime(updatedAtMs)) throw new Error('has an invalid time');
  if (!isCount(puts)) throw new Error('has no number of Puts');
  return { kind, id, reference, remoteId, body: body as KeptRecord['body'], createdAtMs, updatedAtMs, puts };
}

/** How often a record was forgotten. Errors: as `parseHeader`. */
function parseForgotten(line: string): ForgottenRecord {
  const fields = fieldsOf(line);
  const { times } = fields;
  if (!isCount(times)) throw new Error('does not say how many times');
  return { kind: kindOf(fields), id: uuidOf(fields, 'id'), times };
}

function fieldsOf(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('is not an object');
  return value as Fields;
}

function kindOf({ kind }: Fields): EntityName {
  if (typeof kind !== 'string' || !ENTITY_NAMES.includes(kind)) throw new Error('has an unknown kind');
  return kind;
}

function uuidOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || !UUID_PATTERN.test(value)) throw new Error(`has no UUID as ${name}`);
  return value.toLowerCase();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= LAST_MS;
}
