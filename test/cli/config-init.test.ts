import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from './run-cli.js';

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'placement-sync-init-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  return cwd;
}

const files = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .sort();

const ENVIRONMENT = {
  SOURCE_DATABASE_URL: 'postgres://reader@127.0.0.1/hr',
  PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  JOSS_CLIENT_ID: 'a',
  JOSS_CLIENT_SECRET: 'a-secret-value-of-some-length',
  TOSS_CLIENT_ID: 'b',
  TOSS_CLIENT_SECRET: 'b-secret-value-of-some-length',
};

test('writes what the guide begins with, and config check finds nothing wrong in it', async () => {
  const cwd = folder();
  const { exitCode, stdout } = await runCli(['config', 'init'], { cwd });
  expect(exitCode).toBe(0);
  expect(files(join(cwd, 'config'))).toEqual(
    [
      'placement-sync.yaml',
      'placement-sync.schema.json',
      '.env.example',
      ...readdirSync('config/queries').map((name) => `queries/${name}`),
      ...readdirSync('config/reference').map((name) => `reference/${name}`),
    ].sort(),
  );
  for (const name of files(join(cwd, 'config'))) expect(stdout).toContain(`wrote config/${name}\n`);
  expect(readFileSync(join(cwd, 'config/placement-sync.yaml'), 'utf8')).toBe(
    readFileSync('config/placement-sync.example.yaml', 'utf8'),
  );
  // The default place of the configuration, seen from the same folder.
  const checked = await runCli(['config', 'check'], { cwd, env: ENVIRONMENT });
  expect(checked.exitCode, checked.stderr).toBe(0);
});

test('--out names another folder, which need not exist', async () => {
  const cwd = folder();
  const { exitCode, stdout } = await runCli(['config', 'init', '--out', 'a/b c'], { cwd });
  expect(exitCode).toBe(0);
  expect(existsSync(join(cwd, 'a/b c/queries/companies.sql'))).toBe(true);
  expect(stdout).toContain("placement-sync config check --config 'a/b c/placement-sync.yaml'");
});

test('never overwrites a file, nor what a link leads to', async () => {
  const cwd = folder();
  mkdirSync(join(cwd, 'config/queries'), { recursive: true });
  writeFileSync(join(cwd, 'config/queries/companies.sql'), 'select 1');
  symlinkSync(join(cwd, 'nowhere.yaml'), join(cwd, 'config/placement-sync.yaml'));
  const { exitCode, stdout } = await runCli(['config', 'init'], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('kept  config/queries/companies.sql');
  expect(stdout).toContain('kept  config/placement-sync.yaml');
  expect(readFileSync(join(cwd, 'config/queries/companies.sql'), 'utf8')).toBe('select 1');
  expect(existsSync(join(cwd, 'nowhere.yaml'))).toBe(false);
  expect(existsSync(join(cwd, 'config/queries/vacancies.sql'))).toBe(true);
  const again = await runCli(['config', 'init'], { cwd });
  expect(again.exitCode).toBe(0);
  expect(again.stdout).not.toContain('wrote');
});

test('a folder that cannot be is named with what to do', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'config'), 'a file');
  const { exitCode, stderr } = await runCli(['config', 'init'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/could not be written: (EEXIST|ENOTDIR)\.\n *→ .*--out DIR/);
});

test('the demo has queries and lookups of its own, and they are the examples', () => {
  const demo = readFileSync('config/demo.yaml', 'utf8');
  const named = [...demo.matchAll(/: (\S+\.(?:sql|csv))$/gm)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(10);
  for (const path of named) {
    expect(path).toMatch(/^demo\//);
    expect(readFileSync(join('config', path), 'utf8'), path).toBe(
      readFileSync(join('config', path.replace(/^demo\//, '')), 'utf8'),
    );
  }
  const others = ['demo/sample.sql'];
  expect(new Set([...named, ...others])).toEqual(new Set(files('config/demo').map((name) => `demo/${name}`)));
});
