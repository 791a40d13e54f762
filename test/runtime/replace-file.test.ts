import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile, tryReplacing } from '../../src/runtime/files.js';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-replace-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a file is replaced as a whole, with its mode whatever the umask, and nothing is left beside it', () => {
  const folder = newFolder();
  const path = join(folder, 'a.prom');
  writeFileSync(path, 'old');
  const umask = process.umask(0o077);
  try {
    replaceFile(path, 'new', 0o644);
  } finally {
    process.umask(umask);
  }
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readdirSync(folder)).toEqual(['a.prom']);
});

test('what cannot be replaced stays as it is, and nothing is left beside it', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'taken'));
  expect(() => replaceFile(join(folder, 'taken'), 'text', 0o600)).toThrow(/EISDIR|ENOTEMPTY/);
  expect(() => tryReplacing(join(folder, 'missing', 'file'), 0o600)).toThrow(/ENOENT/);
  tryReplacing(join(folder, 'new'), 0o600);
  expect(readdirSync(folder)).toEqual(['taken']);
});
