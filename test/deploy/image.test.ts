import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignore = readFileSync('.dockerignore', 'utf8').split('\n');
const project = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, string>>;
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

it('runs as a user that is not root, given by number so that Kubernetes can tell', () => {
  expect(/^USER (\d+):\d+$/m.exec(last)?.[1]).toMatch(/^[1-9]/);
});

it('starts the program without a shell', () => {
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(last) ?? [];
  expect(JSON.parse(entry)).toEqual(['node', 'dist/src/cli/main.js']);
  expect(() => JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '') as unknown).not.toThrow();
  expect(() => JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(last)?.[1] ?? '') as unknown).not.toThrow();
});

it('says of itself what package.json says', () => {
  const label = (name: string) =>
    new RegExp(`org\\.opencontainers\\.image\\.${name}="([^"]*)"`).exec(last)?.[1];
  expect(label('title')).toBe(project.name);
  expect(label('version')).toBe(project.version);
  expect(label('description')).toBe(project.description);
  expect(label('licenses')).toBe(project.license);
});

it('is named with this version wherever an image or a package is named, and the changelog has it', () => {
  const texts = ['Dockerfile', 'README.md', ...filesIn('deploy'), ...filesIn('docs')].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const named = /(?:placement-sync[:-]|newTag: |image\.version=")v?(\d+\.\d+\.\d+(?:-dev)?)/g;
  const versions = texts.flatMap((text) => [...text.matchAll(named)].map(([, version]) => version));
  expect(versions.length).toBeGreaterThan(10);
  expect(new Set(versions)).toEqual(new Set([project.version]));
  const [, latest] = /^## \[(\d[^\]]*)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  expect(latest, 'before its release it ends in -dev').toBe(project.version?.replace(/-dev$/, ''));
});

it('builds with older builders as well', () => {
  expect(dockerfile, 'here-documents').not.toMatch(/<</);
  // No default and no use in FROM: what is not given is unknown, and the build goes on.
  expect(dockerfile.match(/^ARG .*/gm), 'arguments').toEqual(['ARG COMMIT']);
});

it('gets from the folder what it copies and nothing else', () => {
  expect(ignore).toContain('*');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const name of copied)
    expect(
      allowed.some((path) => path === name || path.startsWith(`${name}/`)),
      name,
    ).toBe(true);
  for (const path of allowed)
    expect(
      copied.some((name) => path === name || path.startsWith(`${name}/`)),
      path,
    ).toBe(true);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|md|json)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}
