import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { homeOf } from '../lanes.js';

/** How test files of a copy of the project ended. */
export interface TestEnd {
  /** Full names of the tests. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What it says of files that could not run at all. */
  readonly broken: readonly string[];
}

export interface TestChoice {
  readonly files: readonly string[];
  /** Only tests with this text in their names. */
  readonly title?: string | undefined;
  /** The server that the tests make their databases on. */
  readonly postgresUrl: string;
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
export async function runTests(folder: string, { files, title, postgresUrl }: TestChoice): Promise<TestEnd> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const mode = files.every((file) => homeOf(file) === 'unit') ? 'unit' : 'test';
  const only = title === undefined ? [] : ['-t', title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')];
  const args = ['run', ...files, '--mode', mode, '--reporter=json', `--outputFile=${report}`, ...only];
  // Variables of the Vitest around it would change what it does.
  const { PATH, HOME, TMPDIR, TZ } = process.env;
  const env = { PATH, HOME, TMPDIR, TZ, TEST_DATABASE_URL: postgresUrl };
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const running = promisify(execFile)(process.execPath, [vitest, ...args], {
    cwd: folder,
    env,
    maxBuffer: 2 ** 26,
  });
  // It exits with 1 when a test fails; what counts is in the report.
  const output = await running.then(
    () => '',
    (error: { readonly stdout?: string; readonly stderr?: string }) => `${error.stdout}${error.stderr}`,
  );
  return read(report, output);
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
  };
}
