import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool } from './run-tool.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
let folder: string;

/** As somebody has it who installs the package into an empty folder. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'placement-sync-packed-'));
  // Started by root, Postgres runs as another user.
  chmodSync(folder, 0o755);
  const packed = runTool('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  expect(packed.exitCode, packed.stderr).toBe(0);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const installed = runTool('npm', ['install', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`], {
    cwd: folder,
  });
  expect(installed.exitCode, installed.stderr).toBe(0);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the packed program tells its version', () => {
  const { exitCode, stdout, stderr } = runTool('npx', ['--no-install', 'placement-sync', '--version'], {
    cwd: folder,
  });
  expect(exitCode, stderr).toBe(0);
  // And the commit, where the build knew it.
  expect(stdout.trim().split(' ')[0]).toBe(version);
});

it('the packed program writes the files that the guide begins with', () => {
  const { exitCode, stdout, stderr } = runTool('npx', ['--no-install', 'placement-sync', 'config', 'init'], {
    cwd: folder,
  });
  expect(exitCode, stderr).toBe(0);
  for (const name of ['placement-sync.yaml', '.env.example', 'queries/companies.sql', 'reference/cities.csv'])
    expect(stdout).toContain(`wrote config/${name}\n`);
});

it('the packed demo runs to its end', () => {
  const { exitCode, stdout, stderr } = runTool('npx', ['--no-install', 'placement-sync', 'demo'], {
    cwd: folder,
  });
  expect(exitCode, `${stdout}${stderr}`).toBe(0);
  expect(stdout).toContain('Second sync: only that is sent.');
});

it('installs without what is for development only', () => {
  const { stdout } = runTool('npm', ['ls', '--all', '--parseable'], { cwd: folder });
  expect(stdout).toContain('node_modules/pg');
  for (const name of ['typescript', 'vitest', 'kubernetes-models'])
    expect(stdout).not.toContain(`node_modules/${name}\n`);
});
