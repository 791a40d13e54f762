import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Line {
  /** When it arrived, milliseconds of `performance.now()`. */
  readonly at: number;
  readonly text: string;
}

export interface ProcessRun {
  readonly exitCode: number | null;
  /** From start to exit, seconds. */
  readonly seconds: number;
  /** Of the process, seconds. */
  readonly cpu: number;
  /** Most memory that was resident, MB. */
  readonly memory: number;
  readonly stdout: string;
  readonly stderr: readonly Line[];
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** It is killed after this time, seconds. */
  readonly patience: number;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Writes CPU time and most memory to fd 3 at the end. The memory is that of the program: of `getrusage` it would include the parent's. */
const PROBE = `
import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const kb = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, memory: Number(kb) / 1024 }));
});`;

/** Runs Node with these arguments until it ends, and measures it. */
export async function runProcess(args: readonly string[], options: ProcessOptions): Promise<ProcessRun> {
  const { env = {}, patience, onStart } = options;
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(PROBE)}`, ...args],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  const end = () => void child.kill('SIGKILL');
  const timer = setTimeout(end, patience * 1000);
  process.on('exit', end);
  const [, output, errors, usages] = child.stdio as unknown as [null, Readable, Readable, Readable];
  const stderr: Line[] = [];
  createInterface({ input: errors }).on('line', (text) => stderr.push({ at: performance.now(), text }));
  const texts = [output, usages].map(readAll);
  onStart?.(child);
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  const seconds = (performance.now() - began) / 1000;
  clearTimeout(timer);
  process.off('exit', end);
  const [stdout = '', usage = ''] = await Promise.all(texts);
  const { cpu, memory } = (usage === '' ? { cpu: NaN, memory: NaN } : JSON.parse(usage)) as {
    cpu: number;
    memory: number;
  };
  return { exitCode, seconds, cpu, memory, stdout, stderr };
}

async function readAll(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
  return text;
}
