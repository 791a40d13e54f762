import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BUILT } from '../../chaos/chaos-world.js';
import { commandFailure, noteForFailure } from '../../failure-notes.js';
import type { TestDatabase } from '../../postgres/test-database.js';
import { secretsIn } from '../../security/planted.js';

const WITH_SLICES = fileURLToPath(new URL('short-slices.ts', import.meta.url));

export interface Replica {
  readonly pid: number;
  /** As the table of tenants and the ledgers name it. */
  readonly name: string;
  /** By the database’s clock; null: it was not killed. */
  readonly killedAt: Date | null;
  stderr(): string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM. Gives the exit code; null: it was killed. */
  stop(): Promise<number | null>;
  /** Null: it runs, or it was killed. */
  readonly exitCode: number | null;
}

/** Starts a replica as a process of its own, and waits until it works. It may print no planted secret. */
export async function startReplica(options: {
  readonly database: TestDatabase;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly host: string;
  readonly sliceMs?: number;
}): Promise<Replica> {
  const { database, folder, env, host, sliceMs } = options;
  const program = sliceMs === undefined ? [BUILT, 'fleet', 'start'] : [WITH_SLICES, String(sliceMs)];
  const loader = sliceMs === undefined ? [] : ['--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...loader, ...program], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  noteForFailure(() =>
    commandFailure(`fleet start (${host})`, child.signalCode ? null : (child.exitCode ?? undefined), output),
  );
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let killedAt: Date | null = null;
  const searched = (): void => {
    const [found] = secretsIn(output, env);
    if (found !== undefined) throw new Error(`a replica printed a secret: ${found}`);
  };
  const works = async (): Promise<void> => {
    while (!output.includes('Listening for admin')) await once(child.stderr, 'data');
  };
  const tooSoon = ended.then((code) => {
    throw new Error(`a replica ended with ${code} before it worked: ${output}`);
  });
  tooSoon.catch(() => undefined);
  await Promise.race([works(), tooSoon]);

  return {
    pid: child.pid ?? 0,
    name: `${host} pid ${child.pid}`,
    get killedAt() {
      return killedAt;
    },
    stderr: () => output,
    async kill() {
      const runs = child.exitCode === null && child.signalCode === null;
      child.kill('SIGKILL');
      await ended;
      if (runs) {
        const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now');
        killedAt = row?.now ?? null;
      }
      searched();
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      searched();
      return code;
    },
    get exitCode() {
      return child.exitCode;
    },
  };
}
