import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from '../lanes.js';

/** How test files of a copy of the project ended. */
export interface TestEnd {
  /** Full names of the tests. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What it says of files that could not run at all. */
  readonly broken: readonly string[];
  /** They did not end in time. Nothing else is known of them then. */
  readonly hung: boolean;
}

export interface TestChoice {
  readonly files: readonly string[];
  /** Only tests with this text in their names. */
  readonly title?: string | undefined;
  /** The server that the tests make their databases on. */
  readonly postgresUrl: string;
  /** How long they may take. A bug can keep a loop going that lets no time-out of Vitest fire. */
  readonly limitMs: number;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs test files of the copy in `folder`, in a Vitest of their own. Errors: when that does not begin to run. */
export async function runTests(folder: string, choice: TestChoice): Promise<TestEnd> {
  const { files, title, postgresUrl, limitMs } = choice;
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const mode = files.every((file) => homeOf(file) === 'unit') ? 'unit' : 'test';
  const only = title === undefined ? [] : ['-t', title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')];
  const args = ['run', ...files, '--mode', mode, '--reporter=json', `--outputFile=${report}`, ...only];
  // Variables of the Vitest around it would change what it does.
  const { PATH, HOME, TMPDIR, TZ } = process.env;
  const env = { PATH, HOME, TMPDIR, TZ, TEST_DATABASE_URL: postgresUrl };
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  // In a group of processes of its own: what spins is a worker, which would outlive the one that started it.
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [vitest, ...args], { cwd: folder, env, detached: true, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  // It exits with 1 when a test fails; what counts is in the report.
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject)).finally(() =>
    clearTimeout(limit),
  );
  return hung ? { passed: [], failed: [], broken: [], hung } : read(report, output);
}

function read(file: string, output: string): TestEnd {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    throw new Error(`The tests did not run: ${output.slice(-2_000)}`);
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = (status: string) =>
    tests.filter((one) => one.status === status).map(({ fullName }) => fullName);
  return {
    passed: named('passed'),
    failed: named('failed'),
    broken: report.testResults
      .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      .map(({ name, message }) => `${name}: ${message}`),
    hung: false,
  };
}
