import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../temporary-folder.js';
import { copyProject, type ProjectCopy } from '../copy-project.js';
import { ERROR_CODES, type ErrorCode } from '../../src/core/domain/errors.js';
import { runCli } from '../cli/run-cli.js';
import { podTemplate } from './manifests.js';
import { words } from '../words.js';

interface Pack {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What `npm publish` would send, of the project as it is built. */
const [pack] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as Pack[];
const packed = pack?.files.map(({ path }) => path) ?? [];

it('holds the program and what its user reads', () => {
  for (const path of words(`
    dist/src/cli/main.js dist/adapter.d.ts config/adapters/other-errors.mjs config/demo.yaml config/demo/queries/companies.sql config/demo/reference/cities.csv
    config/demo/sample.sql config/faults.example.yaml
    config/fleet.example.yaml config/fleet.schema.json config/tenant.example.yaml
    config/placement-sync.example.yaml config/queries/companies.sql config/reference/cities.csv
    docs/reference/settings.md docs/openapi.yaml deploy/prometheus/alerts.yaml
    deploy/systemd/placement-sync.service
    deploy/grafana/placement-sync.json deploy/kubernetes/base/kustomization.yaml .env.example README.md
    CHANGELOG.md LICENSE SECURITY.md package.json`))
    expect(packed).toContain(path);
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(packed).toEqual(expect.arrayContaining(documents.map((name) => `docs/${name}`)));
});

it('holds nothing else', () => {
  const expected =
    /^(dist\/(src|migrations)\/[\w/.-]+\.js|dist\/adapter\.d\.ts|config\/(adapters\/[\w-]+\.mjs|demo\.yaml|demo\/sample\.sql|(faults|tenant)\.example\.yaml|(placement-sync|fleet)\.(example\.yaml|schema\.json)|(demo\/)?(queries\/[\w-]+\.sql|reference\/[\w-]+\.csv))|docs\/((dev|fleet|reference)\/)?[\w-]+\.(md|yaml)|docs\/images\/[\w-]+\.png|deploy\/(grafana|kubernetes)\/[\w/.-]+|deploy\/prometheus\/alerts\.yaml|deploy\/systemd\/placement-sync\.service|\.env\.example|README\.md|CHANGELOG\.md|LICENSE|SECURITY\.md|package\.json)$/;
  expect(packed.filter((path) => !expected.test(path))).toEqual([]);
});

it('holds the pictures that its documents show and no others, small together', () => {
  const documents = packed.filter((path) => path.endsWith('.md'));
  const shown = documents.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !target.includes(':')),
  );
  const pictures = pack?.files.filter(({ path }) => path.endsWith('.png')) ?? [];
  expect(pictures.map(({ path }) => path).toSorted()).toEqual([...new Set(shown)].toSorted());
  expect(pictures.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(600_000);
});

describe('the commit of a build', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const HASH = '0123456789abcdef0123456789abcdef01234567';
  const PARTS = ['src', 'migrations', 'build.ts', 'package.json', 'tsconfig.json'];
  let copy: ProjectCopy;

  beforeAll(() => {
    copy = copyProject(PARTS);
  });
  afterAll(() => copy.remove());

  const run = (folder: string, command: string, args: readonly string[], COMMIT?: string) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, COMMIT },
    }).trim();
  const git = (...args: readonly string[]) =>
    run(copy.folder, 'git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args]);
  /** What `--version` of the program says after a build. */
  function built(COMMIT?: string, folder = copy.folder): string {
    run(folder, 'npm', ['run', '--silent', 'build'], COMMIT);
    return run(folder, process.execPath, ['dist/src/cli/main.js', '--version']);
  }

  it('is said by a variable where there is no repository, and not known without', () => {
    expect(built(HASH)).toBe(`${version} (${HASH.slice(0, 7)})`);
    // As an argument of the image that was not given.
    expect(built('')).toBe(version);
    expect(() => built('main')).toThrow('not the hash of a commit: main');
  });

  it('is that of the own repository, says so when files had changes, and is none of a repository around', () => {
    git('init', '--quiet');
    git('add', ...PARTS);
    git('commit', '--quiet', '--message', 'all');
    const head = git('rev-parse', 'HEAD').slice(0, 7);
    expect(built(HASH)).toBe(`${version} (${head})`);
    copy.patch('tsconfig.json', '"strict": true,', '"strict": true, ');
    expect(built()).toBe(`${version} (${head}-dirty)`);

    const inside = join(copy.folder, 'vendor');
    for (const name of PARTS) cpSync(join(copy.folder, name), join(inside, name), { recursive: true });
    expect(built(HASH, inside)).toBe(`${version} (${HASH.slice(0, 7)})`);
  });
});

describe('the steps of a release', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
    jobs: Record<'test' | 'release', { steps: readonly { name?: string; run?: string }[] }>;
  };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
  /** What stands for Docker: it notes its arguments and writes what a build would leave. */
  const DOCKER = `#!/usr/bin/env bash
echo "$*" >> "$RUNNER_TEMP/docker"
case "$*" in
  'buildx imagetools inspect'*) echo ${DIGEST} ;;
  'buildx build'*)
    echo image > "$(sed 's/.*type=oci,dest=\\([^ ]*\\).*/\\1/' <<< "$*")"
    for platform in amd64 arm64; do
      mkdir -p "$RUNNER_TEMP/image/linux_$platform"
      echo "$platform" | tee "$RUNNER_TEMP/image/linux_$platform/sbom.spdx.json" > "$RUNNER_TEMP/image/linux_$platform/provenance.json"
    done ;;
esac
`;

  /** A folder with the project's files, and what runs these steps in it as GitHub does. */
  function workplace() {
    const [folder, runner] = [temporaryFolder(), temporaryFolder()];
    for (const name of ['Dockerfile', 'package.json', 'package-lock.json']) cpSync(name, join(folder, name));
    mkdirSync(join(folder, 'release'));
    mkdirSync(join(runner, 'bin'));
    writeFileSync(join(runner, 'bin/docker'), DOCKER, { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: `${join(runner, 'bin')}:${process.env.PATH}`,
      RUNNER_TEMP: runner,
      GITHUB_SHA: 'abc1234def',
    };
    const step = (job: 'test' | 'release', name: string, tag = `v${version}`) => {
      const run = jobs[job].steps.find((each) => each.name === name)?.run;
      if (run === undefined) throw new Error(`no step of ${job} is called ${name}`);
      return execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...env, GITHUB_REF_NAME: tag },
      });
    };
    return { folder, runner, step };
  }

  it('refuse a tag that is not the version', () => {
    const { step } = workplace();
    step('test', 'the tag is the version');
    expect(() => step('test', 'the tag is the version', 'v0.0.1')).toThrow();
  });

  it('list every package that runs, and none of development', () => {
    const { folder, step } = workplace();
    step('release', 'what is in the package');
    const { metadata, components } = JSON.parse(
      readFileSync(join(folder, `release/placement-sync-${version}.cdx.json`), 'utf8'),
    ) as {
      metadata: { component: { name: string; version: string } };
      components: readonly { name: string; version: string }[];
    };
    expect(metadata.component).toMatchObject({ name: 'placement-sync', version });
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    const locked = Object.entries(packages).flatMap(([path, { version, dev }]) =>
      path === '' || dev ? [] : [`${path.replace(/^.*node_modules\//, '')} ${version}`],
    );
    expect(locked).toContainEqual(expect.stringMatching(/^nodemailer /));
    expect(new Set(components.map(({ name, version }) => `${name} ${version}`))).toEqual(new Set(locked));
  });

  it.each([
    ['a tag', ''],
    ['a digest', `@${DIGEST}`],
  ])('build every platform on the base with one digest, which they record, from %s', (_, pinned) => {
    const { folder, runner, step } = workplace();
    const tagged = 'docker.io/library/node:24-bookworm-slim';
    const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll(
      /^FROM \S+/gm,
      `FROM ${tagged}${pinned}`,
    );
    writeFileSync(join(folder, 'Dockerfile'), dockerfile);
    step('release', 'image');
    step('release', 'checksums');
    const [inspect, , build = ''] = readFileSync(join(runner, 'docker'), 'utf8').split('\n');
    expect(inspect).toContain(` ${tagged}${pinned} `);
    for (const word of [
      '--platform linux/amd64,linux/arm64',
      '--sbom=true',
      '--provenance=mode=max',
      `--build-context ${tagged}${pinned}=docker-image://${tagged}@${DIGEST}`,
      '--build-arg COMMIT=abc1234def',
      `--label org.opencontainers.image.base.digest=${DIGEST}`,
    ])
      expect(build).toContain(` ${word} `);
    const name = `placement-sync-${version}-image`;
    expect(readFileSync(join(folder, `release/${name}-base.txt`), 'utf8')).toBe(`${tagged}@${DIGEST}\n`);
    const made = ['amd64', 'arm64'].flatMap((each) => [
      `${name}-${each}.provenance.json`,
      `${name}-${each}.spdx.json`,
    ]);
    expect(readdirSync(join(folder, 'release'))).toEqual(
      ['SHA256SUMS', ...made, `${name}-base.txt`, `${name}.oci.tar`].toSorted(),
    );
    expect(
      readFileSync(join(folder, 'release/SHA256SUMS'), 'utf8').match(/^[0-9a-f]{64} {2}\S+$/gm),
    ).toHaveLength(6);
  });
});

describe('the unit for systemd', () => {
  const UNIT = 'deploy/systemd/placement-sync.service';
  const text = readFileSync(UNIT, 'utf8');
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const kubernetes = podTemplate('long-running').spec;
  const analyze = (...args: readonly string[]) =>
    spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { ...process.env, SYSTEMD_PAGER: '' } });

  /** A copy, because the program is not where the unit expects it. */
  function placed(): string {
    const file = join(temporaryFolder(), 'placement-sync.service');
    writeFileSync(file, text.replace('=/usr/local/bin/placement-sync ', `=${process.execPath} `));
    return file;
  }

  it.skipIf(analyze('--version').error !== undefined)(
    'holds nothing that systemd does not know, and is hardened',
    () => {
      const file = placed();
      const { status, stdout, stderr } = analyze('verify', '--man=no', file);
      // A machine has units of its own, which it may have words about.
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('placement-sync'))).toEqual([]);
      expect(status).toBe(0);
      // Of 100; without any hardening it is 96.
      const exposure = analyze('security', '--offline=yes', '--no-pager', '--threshold=20', file);
      expect(exposure.status, exposure.stdout).toBe(0);
    },
  );

  it('starts again after each failure but one that a start cannot help', () => {
    expect(values('Restart')).toEqual(['on-failure']);
    const [prevented = ''] = values('RestartPreventExitStatus');
    const helpless: readonly ErrorCode[] = [
      'usage',
      'config-invalid',
      'schema-not-migrated',
      'environment-changed',
    ];
    expect(prevented.split(' ')).toEqual([...new Set(helpless.map((code) => String(ERROR_CODES[code])))]);
    expect(prevented.split(' ')).not.toContain(String(ERROR_CODES['state-unavailable']));
    expect(values('StartLimitIntervalSec'), 'it never gives up').toEqual(['0']);
  });

  it('has the time and the memory that a pod has', () => {
    expect(values('TimeoutStopSec')).toEqual([`${kubernetes.terminationGracePeriodSeconds}s`]);
    const { limits } = kubernetes.containers[0].resources as { limits: { memory: string } };
    expect(values('MemoryMax')).toEqual([limits.memory.replace('Mi', 'M')]);
  });

  it('hands over every secret that a pod has, as a file that the program reads', async () => {
    const { configMapGenerator } = parse(
      readFileSync('deploy/kubernetes/base/kustomization.yaml', 'utf8'),
    ) as {
      configMapGenerator: readonly { literals?: readonly string[] }[];
    };
    const ofPods = configMapGenerator.flatMap(({ literals = [] }) =>
      literals.map((each) => each.split('=')[0]),
    );
    const [etc, credentials] = [temporaryFolder(), temporaryFolder()];
    const [, id = '', from] = /^(\w+):(.*)$/.exec(values('LoadCredential').join()) ?? [];
    expect(from).toBe('/etc/placement-sync/secrets');
    cpSync('deploy/kubernetes/base/config', etc, { recursive: true });
    const env = Object.fromEntries(
      values('Environment').flatMap((line) =>
        line.split(' ').map((each) => {
          const [name = '', value = ''] = each.split('=');
          return [name, value.replace('%d', credentials).replace('/etc/placement-sync', etc)];
        }),
      ),
    );
    expect(Object.keys(env).toSorted()).toEqual([...ofPods, 'NODE_ENV'].toSorted());
    // As systemd names what it finds in the folder of the secrets.
    const secrets: Record<string, string> = {
      SOURCE_DATABASE_URL: 'postgres://reader@db.example.com/hr',
      STATE_DATABASE_URL: 'postgres://state@db.example.com/state',
      PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
    };
    for (const name of Object.keys(env).filter((each) => each.endsWith('_FILE'))) {
      const secret = name.replace(/_FILE$/, '');
      writeFileSync(join(credentials, `${id}_${secret}`), secrets[secret] ?? 'a-secret-value-of-some-length');
    }
    const { exitCode, stderr } = await runCli(['config', 'check'], { env });
    expect(exitCode, stderr).toBe(0);
  });
});
