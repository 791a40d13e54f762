import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMetricsFile } from '../../../src/cli/output/metrics-file.js';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-metrics-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('replaces the file at once, for everybody to read, and leaves nothing beside it', () => {
  const folder = makeFolder();
  const file = join(folder, 'sync.prom');
  writeFileSync(file, 'before\n');
  chmodSync(file, 0o600);
  const target = openMetricsFile(file);
  expect(target.before).toBe('before\n');
  const { ino } = statSync(file);
  target.replace('after\n');
  expect(readFileSync(file, 'utf8')).toBe('after\n');
  expect(statSync(file).ino).not.toBe(ino);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(readdirSync(folder)).toEqual(['sync.prom']);
});

it('writes to no file that a foreign link leads to, whatever name the link has', () => {
  const folder = makeFolder();
  const victim = join(makeFolder(), 'victim');
  writeFileSync(victim, 'precious', { mode: 0o600 });
  // In a folder that others may write: where the unfinished file was expected, and where the file is to be.
  symlinkSync(victim, join(folder, `.sync.prom.${process.pid}.tmp`));
  const target = openMetricsFile(join(folder, 'sync.prom'));
  symlinkSync(victim, join(folder, 'sync.prom'));
  target.replace('after\n');
  expect(lstatSync(join(folder, 'sync.prom')).isFile()).toBe(true);
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(statSync(victim).mode & 0o777).toBe(0o600);
});

it.each<[string, (path: string) => void]>([
  ['a link', (path) => symlinkSync('/etc/hostname', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
])('refuses %s in its place, before any work', (_, make) => {
  const path = join(makeFolder(), 'sync.prom');
  make(path);
  expect(() => openMetricsFile(path)).toThrowError('exists and is not a regular file');
});
