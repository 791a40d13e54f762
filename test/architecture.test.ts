import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALONE, keptTable, table, weigh } from './weight.js';

/**
 * The layers of docs/dev/architecture.md. An import goes to a lower level or stays in its folder, so that every folder
 * can be read, tested and replaced without the ones above it, and nothing knows its neighbours.
 */
const LEVELS: Readonly<Record<string, number>> = {
  contract: -2,
  runtime: -1,
  domain: -1,
  entities: 0,
  ports: 0,
  state: 1,
  config: 2,
  sync: 2,
  source: 2,
  platform: 2,
  telemetry: 2,
  onboarding: 3,
  webhook: 3,
  sandbox: 3,
  demo: 3,
  dashboard: 3,
  service: 4,
  fleet: 4,
  cli: 5,
};

/**
 * Who may load `state`. Everybody above it names its stores by `import type`: they are opened where the parts are put
 * together, and handed in.
 */
const OPENERS_OF_STATE: readonly string[] = ['state', 'fleet', 'cli'];

/** Where each library may be used: a change of library is then a change of one folder. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  knex: ['state', 'migrations'],
  pg: ['source', 'state', 'demo', 'onboarding'],
  got: ['platform'],
  'https-proxy-agent': ['platform'],
  'p-queue': ['platform'],
  zod: ['contract', 'config', 'platform'],
  winston: ['telemetry'],
  'html-to-text': ['entities'],
  'csv-parse': ['entities'],
  'node-cron': ['service'],
  'pg-boss': ['fleet'],
  'prom-client': ['telemetry'],
  nodemailer: ['telemetry'],
  yaml: ['config'],
  hono: ['sandbox', 'dashboard', 'service', 'fleet'],
  '@hono/node-server': ['sandbox', 'service'],
  commander: ['cli'],
  'cli-progress': ['cli'],
  'cli-table3': ['cli'],
};

/** What is run or read in its own right: everything else is there because one of these needs it. */
const ROOTS: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'the program',
  'docs/generate.ts': 'the generated pages',
  'src/core/entities/plain-text-worker.ts': 'a thread of its own, started by its file',
};

/** Files of `src` that nothing imports, and why they are there. */
const UNIMPORTED: Readonly<Record<string, string>> = {
  'src/features/fleet/pg-boss.d.ts':
    'declares the types of a library that may be missing; the compiler finds it by itself',
};

/** The list in which a file of this kind gets its line. */
const LISTS: readonly (readonly [start: string, list: string])[] = [
  ['src/core/contract/', 'src/core/entities/registry.ts (by the entity that imports it)'],
  ['src/core/entities/', 'src/core/entities/registry.ts'],
  ['src/features/doctor/checks/', 'src/features/doctor/checks.ts'],
  ['src/cli/usage/', 'src/cli/create-program.ts'],
  ['src/cli/commands/', 'the usage in src/cli/usage that calls it'],
  ['migrations/', 'migrations/all.ts'],
];

const MAX_LINES = 450;
const ROOT = join(import.meta.dirname, '..');

interface SourceFile {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
  /** Without `import type`: types of a library may be named anywhere. */
  readonly runtimeImports: readonly string[];
  /** Of these, what is loaded together with the file. */
  readonly eagerImports: readonly string[];
}

const weight = weigh();
const files = [...sourceFiles('src'), ...sourceFiles('migrations')];
/** What makes the generated pages, and what that reads. */
const generators = [...sourceFiles('docs'), ...sourceFiles('bench')];

describe('architecture', () => {
  it('has every folder of src on a level', () => {
    const folders = new Set(files.filter(({ path }) => path.startsWith('src/')).map(({ folder }) => folder));
    expect([...folders].filter((folder) => !(folder in LEVELS))).toEqual([]);
  });

  it('imports only from lower levels or from the own folder', () => {
    const problems = files.flatMap((file) =>
      localImports(file).flatMap((target) => {
        const to = folderOf(target);
        if (to === file.folder || !(file.folder in LEVELS)) return [];
        // The state's adapter runs the migrations; they know nothing of it.
        if (to === 'migrations')
          return file.folder === 'state'
            ? []
            : [`${file.path} imports ${target}: only state/ runs migrations`];
        const own = LEVELS[file.folder] ?? 0;
        const level = LEVELS[to] ?? 0;
        return level < own
          ? []
          : [
              `${file.path} (${file.folder}, level ${own}) imports ${target} (${to}, level ${level}). Imports go down: move the shared part to a lower level, or pass it in from cli/compose.`,
            ];
      }),
    );
    expect(problems).toEqual([]);
  });

  it('loads the state only where stores are opened', () => {
    const problems = files
      .filter(({ folder }) => !OPENERS_OF_STATE.includes(folder))
      .flatMap((file) =>
        localImports({ ...file, imports: file.runtimeImports })
          .filter((target) => folderOf(target) === 'state')
          .map(
            (target) =>
              `${file.path} loads ${target}: import its types only, and take the store as a parameter.`,
          ),
      );
    expect(problems).toEqual([]);
  });

  it('uses each library only in its folder', () => {
    const problems = files.flatMap((file) =>
      file.runtimeImports.filter(isLibrary).flatMap((name) => {
        const allowed = LIBRARIES[packageName(name)];
        if (!allowed)
          return [
            `${file.path} imports ${name}, which no folder is allowed: name it in this test and in docs/dev/decisions.md, or do without.`,
          ];
        return allowed.includes(file.folder)
          ? []
          : [
              `${file.path} imports ${name}, which belongs to ${allowed.join(', ')}: put an adapter there and a port between.`,
            ];
      }),
    );
    expect(problems).toEqual([]);
  });

  it('names in every import() and require() what it loads, so that the rules above see it', () => {
    const hidden = files.filter(
      ({ path, text }) =>
        // The partner's own module, which nobody can name here.
        path !== 'src/core/platform/adapter.ts' &&
        /\b(?:import|require)\((?!'[^']+'\))/.test(withoutComments(text)),
    );
    expect(
      hidden.map(({ path }) => `${path}: import('…') or require('…') with a plain name in single quotes`),
    ).toEqual([]);
  });

  it('loads the commands one by one: nothing that all of them load brings a command with it', () => {
    const eager = new Set<string>();
    const visit = (path: string): void => {
      if (eager.has(path)) return;
      eager.add(path);
      const file = files.find((each) => each.path === path);
      if (file) localImports({ ...file, imports: file.eagerImports }).forEach(visit);
    };
    visit('src/cli/main.ts');
    const brought = [...eager].filter((path) =>
      /^src\/(cli\/commands|sync|service|dashboard|sandbox|state)\//.test(path),
    );
    expect(brought).toEqual([]);
    expect(eager.has('src/cli/create-program.ts')).toBe(true);
  });

  it('reaches every file from the program or from the generators of the documentation', () => {
    const advice = (path: string) => {
      const list = LISTS.find(([start]) => path.startsWith(start))?.[1];
      return `${path} is reached from nowhere: ${list === undefined ? 'import it where it is needed, or delete it' : `was its line in ${list} forgotten?`}`;
    };
    expect(unreached(files).map(({ path }) => advice(path))).toEqual([]);
    const paths = files.map(({ path }) => path);
    expect(Object.keys(UNIMPORTED).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('would name a file whose line was forgotten', () => {
    for (const [list, forgotten] of [
      ['src/core/entities/registry.ts', 'src/core/entities/application-statuses.ts'],
      ['src/features/doctor/checks.ts', 'src/features/doctor/checks/values.ts'],
      ['src/cli/create-program.ts', 'src/cli/usage/sync.ts'],
      ['src/cli/usage/sync.ts', 'src/cli/commands/approve.ts'],
      ['migrations/all.ts', 'migrations/0001-state.ts'],
    ] as const) {
      const line = `/${forgotten.split('/').at(-1)?.replace('.ts', '.js') ?? ''}`;
      const tree = files.map((file) =>
        file.path === list ? { ...file, imports: file.imports.filter((name) => !name.endsWith(line)) } : file,
      );
      expect(unreached(tree).map(({ path }) => path)).toContain(forgotten);
    }
  });

  it('has no import cycles, and neither have the tests and their helpers', () => {
    const graph = new Map([...files, ...sourceFiles('test')].map((file) => [file.path, localImports(file)]));
    expect(findCycles(graph)).toEqual([]);
  });

  it('imports in init from earlier phases only: rank, look, map, write', () => {
    const phases = ['rank', 'look', 'map', 'write'];
    const phaseOf = (path: string) => phases.indexOf(/^src\/onboarding\/init\/(\w+)/.exec(path)?.[1] ?? '');
    const backwards = files.flatMap((file) => {
      const own = phaseOf(file.path);
      return localImports(file)
        .filter((target) => own >= 0 && phaseOf(target) > own)
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(backwards).toEqual([]);
  });

  it(`has no file of more than ${MAX_LINES} lines`, () => {
    const long = files.filter(({ text }) => text.split('\n').length > MAX_LINES + 1);
    expect(long.map(({ path }) => `${path}: divide it by what its parts are for`)).toEqual([]);
  });

  it('weighs what test/weight.txt says: more of anything is a line of the change', () => {
    expect(table(weight), 'is it worth it? If so, or if it became less: npm run weight -- --write').toBe(
      keptTable(),
    );
  });

  it('has no small file that a single file beside it imports, unless a reason is given', () => {
    const hint = 'move it into the file that imports it, or give the reason in test/weight.ts';
    expect(weight.small, hint).toEqual(Object.keys(ALONE));
  });

  it('reads process.env only where the configuration is read', () => {
    const readers = files.filter(
      ({ path, text }) =>
        path !== 'src/core/config/read-named-config.ts' && withoutComments(text).includes('process.env'),
    );
    expect(readers.map(({ path }) => `${path}: take it as a parameter, or from the configuration`)).toEqual(
      [],
    );
  });

  it('speaks to the console only in cli', () => {
    const speakers = files.filter(
      ({ folder, text }) =>
        folder !== 'cli' && /\bconsole\.|process\.std(out|err)/.test(withoutComments(text)),
    );
    expect(speakers.map(({ path }) => `${path}: emit an event instead`)).toEqual([]);
  });

  it('has no index.ts but the registry of entities', () => {
    const indexes = files.filter(({ path }) => path.endsWith('/index.ts'));
    expect(indexes.map(({ path }) => path)).toEqual(['src/core/entities/index.ts']);
  });
});

function sourceFiles(top: string): SourceFile[] {
  return readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = relative(ROOT, join(entry.parentPath, entry.name));
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = [
        ...text.matchAll(
          /^(?:import|export)\b[^'"`]*?from '([^']+)'|^import '([^']+)'|\b(?:import|require)\('([^']+)'\)/gms,
        ),
      ];
      const nameOf = (match: RegExpExecArray) => match[1] ?? match[2] ?? match[3] ?? '';
      const runtime = imports.filter(([statement]) => !/^(?:import|export) type\b/.test(statement));
      return {
        path,
        folder: folderOf(path),
        text,
        imports: imports.map(nameOf),
        runtimeImports: runtime.map(nameOf),
        eagerImports: runtime.filter((match) => match[3] === undefined).map(nameOf),
      };
    });
}

function folderOf(path: string): string {
  const [top = '', folder = ''] = path.split('/');
  return top === 'src' ? folder : top;
}

function localImports(file: SourceFile): string[] {
  return file.imports
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file.path), name).replace(/\.js$/, '.ts'));
}

/** Files of `src` and `migrations` that no root needs, by a value or a type. */
function unreached(tree: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map([...tree, ...generators].map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) return;
    reached.add(path);
    localImports(file).forEach(visit);
  };
  Object.keys(ROOTS).forEach(visit);
  return tree.filter(({ path }) => !reached.has(path) && !(path in UNIMPORTED));
}

function isLibrary(name: string): boolean {
  return !name.startsWith('.') && !name.startsWith('node:');
}

function packageName(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

/** Each cycle once, as the files on it. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}
