import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { openMetricsFile } from '../../../src/cli/output/metrics-file.js';
import { addCompanies, addVacancies, createCliWorld } from '../cli-world.js';
import { listening } from '../run-cli.js';
import { temporaryFolder } from '../../temporary-folder.js';

describe('metrics file', () => {
  it('replaces the file at once, for everybody to read, and leaves nothing beside it', () => {
    const folder = temporaryFolder();
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
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
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
    const path = join(temporaryFolder(), 'sync.prom');
    make(path);
    expect(() => openMetricsFile(path)).toThrowError('exists and is not a regular file');
  });
});

describe('metrics file', () => {
  /** Lines with values, without what belongs to the moment. */
  function gauges(text: string): string[] {
    return (
      text
        .split('\n')
        .filter((line) => /^placement_sync_(records|held|last_success|build_info)/.test(line))
        // One comes from the sources, which know no commit, the other from what was built.
        .map((line) => line.replace(/,commit="[^"]+"/, ''))
        .sort()
    );
  }

  test('run --metrics-file and a scrape of start show the same for the same state', async () => {
    const world = await createCliWorld();
    world.configure('entities:', 'http: { admin: { port: 0 } }\nentities:');
    await addCompanies(world, 3);
    await addVacancies(world, 2);
    await world.sql(`update company set name = null where id = 'c002'`);
    const file = join(world.folder, 'sync.prom');
    expect((await world.run('--metrics-file', file, '--entity', 'companies')).code).toBe(3);
    expect((await world.run('--metrics-file', file)).code).toBe(3);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const written = readFileSync(file, 'utf8');
    expect(gauges(written).length).toBeGreaterThan(16);
    expect(written).toContain('placement_sync_last_run_records{entity="companies",counter="invalid"} 1\n');

    const worker = world.start('start');
    const address = await listening(worker, 'admin');
    const scraped = async () => (await fetch(`${address}/metrics`)).text();
    const withoutTimes = (lines: string[]) => lines.filter((line) => !line.includes('last_success'));
    expect(withoutTimes(gauges(await scraped()))).toEqual(withoutTimes(gauges(written)));
    expect(await scraped()).toMatch(/^placement_sync_last_run_exit_code 3$/m);
    worker.child.kill('SIGTERM');
    await worker.done;
    expect(readdirSync(world.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('the file is written when the run is held, busy, or cannot begin, and the time of success stays', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 20);
    const file = join(world.folder, 'sync.prom');
    const value = (name: string) =>
      new RegExp(`^placement_sync_${name}(?:\\{entity="companies"\\})? (\\S+)$`, 'm').exec(
        readFileSync(file, 'utf8'),
      )?.[1];
    await world.run('--metrics-file', file);
    const succeeded = value('last_success_timestamp_seconds');
    expect(Number(succeeded)).toBeGreaterThan(1_700_000_000);

    await world.sql('delete from company');
    expect((await world.run('--metrics-file', file)).code).toBe(4);
    expect([value('held'), value('last_run_exit_code')]).toEqual(['1', '4']);

    await world.sql(
      `update placement_sync.lease set holder = 'somebody', expires_at = now() + interval '1 minute', token = token + 1`,
    );
    expect((await world.run('--metrics-file', file)).code).toBe(6);
    expect([value('held'), value('last_run_exit_code')]).toEqual(['1', '6']);

    world.env.SOURCE_DATABASE_URL = 'postgres://nobody@127.0.0.1:9/none';
    expect((await world.run('--metrics-file', file)).code).toBe(1);
    expect(value('last_run_exit_code')).toBe('1');
    expect(value('last_success_timestamp_seconds')).toBe(succeeded);
    expect(value('held'), 'unknown').toBeUndefined();
  });

  test('a file that cannot be written is reported before the run, which does nothing', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    mkdirSync(join(world.folder, 'taken.prom'));
    for (const file of ['/no/such/folder/x.prom', join(world.folder, 'taken.prom')]) {
      const { code, outcome, stderr } = await world.run('--metrics-file', file);
      expect([code, outcome], file).toEqual([2, 'failed']);
      expect(stderr).toContain('--metrics-file');
      expect(stderr).toContain('→');
    }
    expect(world.sandbox.requests()).toEqual([]);
    expect((await world.cli('run', '--dry-run', '--metrics-file', 'x.prom')).exitCode).toBe(2);
  });

  test.runIf(process.getuid?.() !== 0)(
    'a folder without the right to write is reported before the run',
    async () => {
      const world = await createCliWorld();
      const folder = join(world.folder, 'elsewhere');
      chmodSync(folder, 0o555);
      const { code, stderr } = await world.run('--metrics-file', join(folder, 'x.prom'));
      expect(code).toBe(2);
      expect(stderr).toContain('this user may not write to its folder');
    },
  );
});
