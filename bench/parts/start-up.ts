import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../src/features/demo/postgres/start-postgres.js';

/**
 * CPU time (user and system) of starts, as the median of several processes: `npm run build`, then
 * `npx tsx bench/parts/start-up.ts [node] [runs]` (default: this Node, 7 runs). Of `status` it is what was used when the
 * first query goes out. `node -e 0` is the measure of the machine: everything scales with it.
 */
const [node = process.execPath, runs = '7'] = process.argv.slice(2);
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const example = fileURLToPath(new URL('../../config/demo.yaml', import.meta.url));

/** Writes the CPU time in milliseconds to fd 3: at the first query that goes to a server, or else at the end. */
const PROBE = `
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
let noted = false;
const note = () => {
  if (noted) return;
  noted = true;
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1000));
};
process.on('exit', note);
const write = Socket.prototype.write;
Socket.prototype.write = function (data, ...rest) {
  // Simple query, or the parsing of an extended one.
  if (Buffer.isBuffer(data) && (data[0] === 0x51 || data[0] === 0x50)) note();
  return write.call(this, data, ...rest);
};`;

const folder = mkdtempSync(join(tmpdir(), 'placement-sync-start-up-'));
const probe = join(folder, 'probe.mjs');
writeFileSync(probe, PROBE);
const postgres = await startPostgres({ env: process.env });
try {
  const env = {
    ...process.env,
    DEMO_DATABASE_URL: postgres.superUrl,
    DEMO_SANDBOX_URL: 'http://127.0.0.1:1',
  };
  const cpuMs = (args: readonly string[]): number => {
    const all = Array.from({ length: Number(runs) }, () => {
      const { output } = spawnSync(node, ['--import', probe, ...args], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
      return Number(output[3]);
    });
    return all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)] ?? NaN;
  };
  for (const args of [
    ['-e', '0'],
    [main, '--version'],
    [main, '--help'],
    [main, 'status', '--config', example],
  ])
    console.log(
      `${args.slice(0, 2).join(' ').replace(main, 'placement-sync').padEnd(28)} ${cpuMs(args).toFixed(0)} ms`,
    );
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}
