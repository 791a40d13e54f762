import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeOf, TEST_FILES } from './lanes.js';
import { temporaryFolder } from './temporary-folder.js';

const LIST = readFileSync('test/quarantine.txt', 'utf8');
const MOST_DAYS = 30;
const DAY_MS = 86_400_000;

const linesOf = (list: string) => list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** What is wrong with the list, one sentence a line of it. `today`: milliseconds. */
function problemsOf(list: string, today: number): string[] {
  return linesOf(list).flatMap((line) => {
    const [, since, file = '', title = '', reason] =
      /^(\d{4}-\d\d-\d\d) \| (\S+\.test\.ts) > (.+?) \| (.+)$/.exec(line) ?? [];
    if (since === undefined || reason === undefined)
      return [`${line}: a line is "DATE | FILE > TEST | REASON"`];
    const days = (today - Date.parse(since)) / DAY_MS;
    if (!(days >= 0)) return [`${line}: ${since} is not a date of the past`];
    if (days > MOST_DAYS)
      return [`${line}: it is there for more than ${MOST_DAYS} days. Make the test certain, or delete it`];
    if (!TEST_FILES.includes(file)) return [`${line}: there is no file ${file}`];
    // They run on a copy, with another Node.js.
    if (homeOf(file) === 'fleet') return [`${line}: the tests of the fleet have no second try`];
    return hasTest(readFileSync(file, 'utf8'), title) ? [] : [`${line}: ${file} has no such test`];
  });
}

/** Whether a literal of the code is the last part of the name, with something in place of `%s` and `$name`. */
function hasTest(code: string, title: string): boolean {
  const name = title.split(' > ').at(-1) ?? '';
  const literals = [...code.matchAll(/(['"`])((?:\\.|(?!\1).)+)\1/g)].map(([, , text = '']) => text);
  return literals.some((text) => {
    const pattern = text.replace(/[.*+?^{}()|[\]\\]/g, '\\$&').replace(/%[sdifjo]|\$[\w.]+/g, '.+');
    return new RegExp(`^${pattern}$`).test(name);
  });
}

test('a test is in quarantine for a month at most, under its present name', () => {
  expect(problemsOf(LIST, Date.now())).toEqual([]);
});

test('a release has no test in quarantine', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const isRelease =
    !version.includes('-') && readFileSync('CHANGELOG.md', 'utf8').includes(`## [${version}]`);
  if (isRelease) expect(linesOf(LIST)).toEqual([]);
});

const OURS = 'test/quarantine.test.ts > a release has no test in quarantine';

test('a line that is old, of no test, or without a reason is refused', () => {
  const today = Date.parse('2026-11-24T12:00:00Z');
  const problems = (line: string) => problemsOf(`# a comment\n\n${line}\n`, today);
  expect(problems(`2026-11-01 | ${OURS} | it waits for a page`)).toEqual([]);
  const eachFile =
    'test/core/platform/create-rate-limit.slow.test.ts > createRateLimit > no such test at all';
  for (const [line, problem] of [
    [`2026-10-01 | ${OURS} | it waits`, 'for more than 30 days'],
    [`2026-12-01 | ${OURS} | it waits`, 'not a date of the past'],
    [`2026-11-31 | ${OURS} | it waits`, 'not a date of the past'],
    [`2026-11-01 | ${OURS}`, 'a line is'],
    [`2026-11-01 | ${eachFile} | it waits`, 'has no such test'],
    ['2026-11-01 | test/gone.test.ts > a release | it waits', 'there is no file'],
    ['2026-11-01 | test/features/fleet/processes/rolling-update.test.ts > a | it waits', 'no second try'],
  ] as const)
    expect(problems(line), line).toEqual([expect.stringContaining(problem)]);
  expect(hasTest("test.each(LANES)('a run of %s ends: $why', () => {})", 'a run of jobs ends: why not')).toBe(
    true,
  );
});

/** What the function of .ci/run gives for this log of Vitest. */
function secondTry(log: string, list: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/quarantine.txt'), list);
  writeFileSync(join(folder, 'log'), log);
  const [code] = /^second_try\(\) \{$[\s\S]*?^\}$/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];
  return execFileSync('bash', ['-uo', 'pipefail', '-c', `${code}\nsecond_try log`], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
}

test('the gate runs a file once more only when every failed test is in quarantine', () => {
  const list = `# a comment
2026-11-01 | test/cli/start.process.test.ts > a worker stops (now and then) | it waits
2026-11-02 | test/browser/pages.test.ts > pages > show $1 | it waits
`;
  const known = ` FAIL   integration  test/cli/start.process.test.ts > a worker stops (now and then)
AssertionError: expected 1 to be 2
 FAIL  test/browser/pages.test.ts > pages > show $1
`;
  expect(secondTry(known, list)).toBe('test/browser/pages.test.ts test/cli/start.process.test.ts');
  expect(
    secondTry(` FAIL   fleet rate  test/cli/start.process.test.ts > a worker stops (now and then)\n`, list),
  ).toBe('test/cli/start.process.test.ts');
  expect(secondTry(`${known} FAIL   slow  test/cli/start.process.test.ts > another\n`, list)).toBe('');
  expect(secondTry(' FAIL   slow  test/cli/start.process.test.ts > a worker\n', list)).toBe('');
  expect(
    secondTry(' FAIL   slow  test/cli/start.process.test.ts [ test/cli/start.process.test.ts ]\n', list),
  ).toBe('');
  expect(secondTry(`${known}Unhandled Rejection\n`, list)).toBe('');
  expect(secondTry(known, '# a comment\n')).toBe('');
  expect(secondTry(' Tests  12 passed (12)\n', list)).toBe('');
});
