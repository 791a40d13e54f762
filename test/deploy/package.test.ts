import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
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
    dist/src/cli/main.js config/demo.yaml config/demo/queries/companies.sql config/demo/reference/cities.csv
    config/demo/sample.sql config/deviations.example.yaml config/faults.example.yaml
    config/fleet.example.yaml config/fleet.schema.json config/tenant.example.yaml
    config/placement-sync.example.yaml config/queries/companies.sql config/reference/cities.csv
    docs/reference/settings.md docs/openapi.yaml deploy/prometheus/alerts.yaml
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
    /^(dist\/(src|migrations)\/[\w/.-]+\.js|config\/(demo\.yaml|demo\/sample\.sql|(deviations|faults|tenant)\.example\.yaml|(placement-sync|fleet)\.(example\.yaml|schema\.json)|(demo\/)?(queries\/[\w-]+\.sql|reference\/[\w-]+\.csv))|docs\/(reference\/)?[\w-]+\.(md|yaml)|docs\/images\/[\w-]+\.png|deploy\/(grafana|kubernetes)\/[\w/.-]+|deploy\/prometheus\/alerts\.yaml|\.env\.example|README\.md|CHANGELOG\.md|LICENSE|SECURITY\.md|package\.json)$/;
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
