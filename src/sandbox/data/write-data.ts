import { open, rename, rm } from 'node:fs/promises';
import type { StoreContents } from '../store.js';
import type { Header } from './parse-line.js';

/** So many records at a time become text, so that requests are answered in between. */
const BATCH = 200;

/**
 * Replaces the file as a whole: readers find the old contents or the new ones, also after a crash. Rejects with
 * Node's own error, and then the old file is still there.
 */
export async function writeData(path: string, { records, forgotten }: StoreContents): Promise<void> {
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
