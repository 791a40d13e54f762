import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCliWorld } from './cli-world.js';
import { startCli } from './run-cli.js';

/** What a process loaded: libraries by name, and folders of src. */
interface Loaded {
  readonly exitCode: number | null;
  readonly libraries: readonly string[];
  readonly folders: readonly string[];
}

/**
 * Folders of src of which a file of the built program has modules: the build names each module in a comment. The registry
 * is the names of the entities; it loads them when it is asked.
 */
function foldersIn(url: string): readonly string[] {
  if (!url.includes('/dist/')) return [];
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return [...text.matchAll(/^\/\/ src\/(?!entities\/registry\.ts)([^/]+)\//gm)].map(
    ([, folder]) => folder ?? '',
  );
}

/** Runs a command as a process whose modules are listed: V8 names every script that it reports the coverage of. */
async function loadedBy(args: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { exitCode } = await startCli(args, { env: { ...env, NODE_V8_COVERAGE: folder } }).done;
  const scripts = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  const named = (form: RegExp) =>
    [...new Set(scripts.flatMap((url) => form.exec(url)?.[1] ?? []))].toSorted();
  return {
    exitCode,
    libraries: named(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/),
    folders: [...new Set(scripts.flatMap(foldersIn))].toSorted(),
  };
}

describe('the start of', () => {
  it.each([
    ['--version'],
    ['--help'],
    ['run --help'],
    ['sandbox send-application --help'],
    ['completion bash'],
  ])('%s loads no library but the one that reads the command line', async (line) => {
    const { exitCode, libraries, folders } = await loadedBy(line.split(' '));
    expect(exitCode).toBe(0);
    expect(libraries).toEqual(['commander']);
    expect(folders).toContain('cli');
    for (const folder of ['entities', 'source', 'state', 'platform', 'telemetry', 'service', 'dashboard'])
      expect(folders).not.toContain(folder);
  });

  it('a run with nothing to send loads neither an HTTP client nor the schedule of the worker', async () => {
    const world = await createCliWorld();
    const { exitCode, libraries } = await loadedBy(['run'], world.env);
    expect(exitCode).toBe(0);
    expect(libraries).toEqual(expect.arrayContaining(['commander', 'pg']));
    expect(libraries).not.toContain('got');
    expect(libraries).not.toContain('node-cron');
  });

  it('status loads nothing that only a run, the worker or the sandbox needs', async () => {
    const world = await createCliWorld();
    const { exitCode, libraries, folders } = await loadedBy(['status'], world.env);
    expect(exitCode).toBe(0);
    // That the list is of this process: these it cannot do without.
    expect(libraries).toEqual(expect.arrayContaining(['commander', 'pg', 'yaml', 'zod']));
    for (const library of [
      ...['got', 'hono', '@hono/node-server', 'node-cron', 'prom-client', 'nodemailer'],
      ...['winston', 'cli-progress', 'html-to-text', 'uuid'],
    ])
      expect(libraries).not.toContain(library);
    for (const folder of ['source', 'platform', 'webhook', 'sandbox', 'dashboard', 'service', 'demo'])
      expect(folders).not.toContain(folder);
  });
});
