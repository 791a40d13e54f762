import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly env?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: object;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly 'timeout-minutes'?: number;
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const texts = readdirSync(FOLDER).map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'));
const workflows = texts.map((text) => parse(text) as Workflow);
const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs));
const steps = jobs.flatMap((job) => job.steps);

it('workflows may read the repository and nothing else, but one that drafts a release, and hold no token on disk', () => {
  for (const workflow of workflows) expect(workflow.permissions).toEqual({ contents: 'read' });
  const writing = workflows.filter((workflow) =>
    Object.values(workflow.jobs).some(({ permissions }) => permissions !== undefined),
  );
  // Nobody else than who may push a tag starts it, and nothing runs with its rights before the tests have passed.
  expect(writing.map(({ on }) => on)).toEqual([{ push: { tags: ['v*'] } }]);
  expect(writing[0]?.jobs).toMatchObject({
    release: { needs: 'test', permissions: { contents: 'write' } },
  });
  expect(writing[0]?.jobs.test?.permissions).toBeUndefined();
  const withToken = steps.filter((step) => JSON.stringify(step).includes('github.token'));
  expect(withToken.map(({ run }) => run)).toEqual([expect.stringMatching(/^gh release create /)]);
  for (const { uses, with: options } of steps)
    if (uses?.startsWith('actions/checkout@'))
      expect(options).toMatchObject({ 'persist-credentials': false });
});

it('what others wrote is named by commit, with its version beside it, and runs for a bounded time', () => {
  const uses = texts.flatMap((text) => text.split('\n').filter((line) => /\buses:/.test(line)));
  expect(uses).not.toEqual([]);
  for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
});

it('no text of a pull request gets into a command, and none runs with the rights of the repository', () => {
  for (const text of texts)
    expect(text).not.toMatch(/pull_request_target|workflow_run|github\.(event|head_ref)/);
  for (const { run = '' } of steps) expect(run).not.toMatch(/\$\{\{(?! *matrix\.)/);
});

it('dependencies are audited', () => {
  expect(steps.map(({ run }) => run)).toContainEqual(expect.stringMatching(/^npm audit .*--audit-level=/));
});

it('every suite runs, in the gate, for every change or each night', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const suites = Object.keys(scripts).filter((name) => name.startsWith('test:'));
  const gate = readFileSync('.ci/run', 'utf8').replace(/^ *#.*$/gm, '');
  const commands = [gate, ...steps.map(({ run = '' }) => run)].join('\n');
  const nightly = jobs.flatMap(({ strategy }) => (strategy?.matrix.suite ?? []) as string[]);
  const runs = (name: string) =>
    nightly.some((suite) => suite.split(' ')[0] === name.replace('test:', '')) ||
    new RegExp(`npm run (--silent )?${name}\\b`).test(commands);
  expect(steps.map(({ run }) => run)).toContain('npm run test:${{ matrix.suite }}');
  // Every part of the hard one, a machine each.
  const hard = [...readFileSync('vitest.config.ts', 'utf8').matchAll(/alone\('(\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(nightly.flatMap((suite) => suite.split('--project ').slice(1)).sort()).toEqual(
    hard.filter((name) => !suites.includes(`test:${name}`) && name !== 'pgbouncer').sort(),
  );
  // A part of `npm test`, all together, and for the desk. The gate has both halves of the second.
  expect(suites.filter((name) => !runs(name))).toEqual(['test:unit', 'test:full', 'test:watch']);
});

it('a bot keeps new whatever is named by a digest, a commit or a lock file, and can read all that it needs', () => {
  const { version, updates } = parse(readFileSync('.github/dependabot.yml', 'utf8')) as {
    version: number;
    updates: readonly { 'package-ecosystem': string; directory: string; schedule: object }[];
  };
  expect(version).toBe(2);
  expect(updates.map((each) => each['package-ecosystem'])).toEqual(['docker', 'npm', 'github-actions']);
  for (const { directory, schedule } of updates)
    expect({ directory, schedule }).toEqual({ directory: '/', schedule: { interval: 'weekly' } });
  // It does not look into arguments.
  const bases = readFileSync('Dockerfile', 'utf8').match(/^FROM \S+/gm) ?? [];
  expect(bases).toHaveLength(2);
  expect(new Set(bases).size, 'both stages have the same base').toBe(1);
  expect(bases[0]).toMatch(/^FROM docker\.io\/library\/node:[\w.-]+(@sha256:[0-9a-f]{64})?$/);
});
