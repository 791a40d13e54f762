import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { addCompanies, createCliWorld, configureWorker } from '../cli/cli-world.js';
import { listening, runCli } from '../cli/run-cli.js';
import { readDashboard } from '../deploy/manifests.js';
import { runTool } from './run-tool.js';
import { temporaryFolder } from '../temporary-folder.js';

const FOLDER = 'deploy/prometheus';
const { stdout: runHelp } = await runCli(['run', '--help']);

function promtool(args: readonly string[], input?: string) {
  const { exitCode, stdout, stderr } = runTool('promtool', args, {
    cwd: FOLDER,
    ...(input === undefined ? {} : { input }),
  });
  return { exitCode, told: `${stdout}${stderr}` };
}

it('the alert rules are valid', () => {
  const { exitCode, told } = promtool(['check', 'rules', 'alerts.yaml']);
  expect(exitCode, told).toBe(0);
});

it('each alert fires when it should and not otherwise', () => {
  const { exitCode, told } = promtool(['test', 'rules', 'alerts.test.yaml']);
  expect(exitCode, told).toBe(0);
});

it('the queries of the dashboard are valid', () => {
  const folder = temporaryFolder();
  const queries = readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = queries.map((expr, at) => ({
    record: `dashboard:query_${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*'),
  }));
  const file = join(folder, 'dashboard.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { exitCode, told } = promtool(['check', 'rules', file]);
  expect(exitCode, told).toBe(0);
  expect(told).toContain(`${queries.length} rules`);
});

it('the metrics of a running worker are in order', async () => {
  const world = await createCliWorld();
  configureWorker(world);
  await addCompanies(world, 2);
  const worker = world.start('start');
  const metrics = `${await listening(worker, 'admin')}/metrics`;
  await world.requested(2);
  const scrape = async () => (await fetch(metrics)).text();
  await expect.poll(scrape, { timeout: 60_000 }).toMatch(/runs_total\{outcome="complete"\} [1-9]/);

  const { exitCode, told } = promtool(['check', 'metrics'], await scrape());
  expect(exitCode, told).toBe(0);
  expect(told, 'advice of promtool').toBe('');
  worker.child.kill('SIGTERM');
  expect((await worker.done).exitCode).toBe(0);
});

if (runHelp.includes('--metrics-file'))
  it('the metrics that a run leaves in a file are in order', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    const file = join(world.folder, 'placement_sync.prom');
    const { code, stderr } = await world.run('--metrics-file', file);
    expect(code, stderr).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/placement_sync_last_success_timestamp_seconds\{entity="companies"\} \d+/);
    const { exitCode, told } = promtool(['check', 'metrics'], text);
    expect(exitCode, told).toBe(0);
    expect(told, 'advice of promtool').toBe('');
  });
