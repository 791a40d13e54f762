import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../src/runtime/files.js';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Runs a command on a terminal of its own, made by `script`, and types once it has asked: shown the end of a question. */
export async function onTerminal(
  world: { readonly env: Readonly<Record<string, string>> },
  args: readonly string[],
  answer: () => Promise<string> | string,
  { question = '[y/N]', cwd = tmpdir() } = {},
): Promise<{ readonly exitCode: number | null; readonly shown: string }> {
  // Without `exec` the shell between would end by Ctrl-C too.
  const line = ['exec', process.execPath, MAIN, ...args].map(shellWord).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, ...world.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (isAsked || !shown.includes(question)) return;
    isAsked = true;
    void Promise.resolve(answer()).then((typed) => child.stdin.write(typed));
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, shown };
}
