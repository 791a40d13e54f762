import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The rooms of docs/dev/architecture.md. `src/core` is the whole job and imports nothing else of `src`. A feature imports
 * the core, and another feature only as `FEATURES` says. `dashboard` and `cli` are the faces: they import what they show.
 */

/** Within the core an import goes to a lower floor or stays in its room. */
const FLOORS: Readonly<Record<string, number>> = {
  contract: 0,
  runtime: 1,
  domain: 1,
  entities: 2,
  ports: 2,
  ledger: 3,
  config: 4,
  source: 4,
  platform: 4,
  context: 4,
  leases: 5,
  sweep: 6,
  push: 6,
  run: 7,
};

/**
 * Every feature, with the features that it uses, and the files of each that it may import: their front doors. One uses
 * only what stands above it in this list, so that there is no circle.
 */
const FEATURES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  http: {},
  catalog: {},
  subjects: {},
  metrics: {},
  plan: {},
  verify: {},
  report: {},
  fleet: {},
  demo: {},
  troubles: {},
  webhook: { http: ['listener', 'read-body', 'inflate'] },
  notices: { troubles: ['describe-trouble', 'consequences', 'hints'] },
  look: {
    report: ['report', 'deliveries'],
    troubles: ['describe-trouble', 'consequences', 'describe-ending'],
  },
  actions: { look: ['list-records', 'record-lists'] },
  probe: { verify: ['compare-read-back'], look: ['explain-record'] },
  init: { catalog: ['catalog', 'read-catalog', 'with-read-only'] },
  doctor: {
    catalog: ['catalog', 'read-catalog', 'with-read-only'],
    // What a column means is known once: where a draft is made, and where a query is judged.
    init: [
      ...['sql-text', 'states', 'words', 'draftables', 'links', 'guess-ids', 'rank/column-matches'],
      ...['map/agreement', 'map/find-notices', 'map/find-region'],
    ],
    look: ['group-text'],
  },
  lookup: { init: ['write/lookup-files'], catalog: ['with-read-only'] },
  sandbox: {
    http: ['listener', 'own-origin'],
    webhook: ['contract/read-application', 'contract/events'],
  },
};

/** Every store of one database: it imports the store of each feature. */
const STORES = 'src/features/create-state.ts';

/** Who opens stores, beside the stores themselves. Everybody else names them by `import type`, and gets them handed in. */
const OPENERS_OF_STORES = ['src/features/fleet/', 'src/cli/', STORES];

/** Where each library may be used: a change of library is then a change of one room. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  knex: ['src/core/ledger/'],
  pg: [
    'src/core/source/',
    'src/core/ledger/',
    'src/features/catalog/',
    'src/features/demo/',
    'src/features/doctor/',
    'src/features/init/',
    'src/features/fleet/state/',
  ],
  got: ['src/core/platform/'],
  'https-proxy-agent': ['src/core/platform/'],
  'p-queue': ['src/core/platform/'],
  zod: [
    'src/core/contract/',
    'src/core/config/',
    'src/core/platform/',
    'src/features/webhook/contract/',
    'src/features/fleet/config/',
    'src/features/sandbox/',
    'src/cli/output/json-schema.ts',
  ],
  winston: ['src/cli/output/log.ts'],
  'html-to-text': ['src/core/entities/'],
  'csv-parse': ['src/core/entities/', 'src/features/lookup/'],
  'node-cron': ['src/core/run/'],
  'pg-boss': ['src/features/fleet/'],
  'prom-client': ['src/features/metrics/'],
  nodemailer: ['src/features/notices/'],
  yaml: ['src/core/config/', 'src/features/fleet/config/', 'src/features/sandbox/faults-file.ts'],
  hono: ['src/features/sandbox/', 'src/dashboard/'],
  '@hono/node-server': ['src/features/sandbox/', 'src/dashboard/'],
  commander: ['src/cli/'],
  'cli-progress': ['src/cli/'],
  'cli-table3': ['src/cli/'],
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

const ROOT = join(import.meta.dirname, '..');

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
  /** Without `import type`: types of a library may be named anywhere. */
  readonly runtimeImports: readonly string[];
  /** Of these, what is loaded together with the file. */
  readonly eagerImports: readonly string[];
}

const files = [...sourceFiles('src'), ...sourceFiles('migrations')];
/** What makes the generated pages, and what that reads. */
const generators = [...sourceFiles('docs'), ...sourceFiles('bench')];

describe('architecture', () => {
  it('has every folder and file of src in a room', () => {
    const strangers = files
      .filter(({ path }) => path.startsWith('src/'))
      .filter(({ path }) => !isKnown(path));
    expect(strangers.map(({ path }) => `${path}: name its room in FLOORS or FEATURES`)).toEqual([]);
  });

  it('imports nothing into the core but the core', () => {
    expect(edges('core', (to) => to !== 'core' && to !== 'migrations')).toEqual([]);
    // The ledger and the fleet's table run their migrations, which know nothing of them.
    const runners = files
      .filter((file) => localImports(file).some((target) => roomOf(target) === 'migrations'))
      .filter(({ path }) => !/^(src\/core\/ledger|src\/features\/fleet\/state|migrations)\//.test(path));
    expect(runners.map(({ path }) => path)).toEqual([]);
  });

  it('imports within the core only from lower floors or from the own room', () => {
    const problems = files
      .filter(({ path }) => roomOf(path) === 'core')
      .flatMap((file) =>
        localImports(file)
          .filter((target) => roomOf(target) === 'core' && floorName(target) !== floorName(file.path))
          .filter((target) => floor(target) >= floor(file.path))
          .map((target) => `${file.path} imports ${target}: imports go down`),
      );
    expect(problems).toEqual([]);
  });

  it('imports into a feature only the core and the front doors of the features that it uses', () => {
    const order = Object.keys(FEATURES);
    const problems = files.flatMap((file) => {
      const own = featureOf(file.path);
      if (own === null) return [];
      return localImports(file).flatMap((target) => {
        const other = featureOf(target);
        if (other === own || ['core', 'migrations'].includes(roomOf(target))) return [];
        const door = target.replace(`src/features/${other ?? ''}/`, '').replace(/\.ts$/, '');
        if (other === null || !(FEATURES[own]?.[other]?.includes(door) ?? false))
          return [
            `${file.path} imports ${target}, which ${own} does not use: name it in FEATURES, or take it as a parameter`,
          ];
        return order.indexOf(other) < order.indexOf(own)
          ? []
          : [`${own} stands above ${other}, which it uses`];
      });
    });
    expect(problems).toEqual([]);
  });

  it('names no front door that nobody uses', () => {
    const used = new Set(
      files.flatMap((file) => localImports(file).map((target) => `${featureOf(file.path) ?? ''} ${target}`)),
    );
    const doors = Object.entries(FEATURES).flatMap(([own, others]) =>
      Object.entries(others).flatMap(([other, names]) =>
        names.map((name) => `${own} src/features/${other}/${name}.ts`),
      ),
    );
    expect(doors.filter((door) => !used.has(door))).toEqual([]);
  });

  it('imports the command line nowhere, and the dashboard only into the command line', () => {
    const problems = files.flatMap((file) =>
      localImports(file)
        .filter((target) => ['cli', 'dashboard'].includes(roomOf(target)))
        .filter((target) => roomOf(file.path) !== roomOf(target) && roomOf(file.path) !== 'cli')
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(problems).toEqual([]);
  });

  it('loads the stores only where they are opened', () => {
    const stores = storeFiles();
    expect([...stores]).toContain('src/features/report/deliveries.ts');
    const problems = files
      .filter(({ path }) => !stores.has(path) && !OPENERS_OF_STORES.some((start) => path.startsWith(start)))
      .flatMap((file) =>
        localImports({ ...file, imports: file.runtimeImports })
          .filter((target) => target.startsWith('src/core/ledger/') || target === STORES)
          .map(
            (target) =>
              `${file.path} loads ${target}: import its types only, and take the store as a parameter.`,
          ),
      );
    expect(problems).toEqual([]);
  });

  it('uses each library only in its room', () => {
    const problems = files.flatMap((file) =>
      file.runtimeImports.filter(isLibrary).flatMap((name) => {
        const allowed = LIBRARIES[packageName(name)];
        if (!allowed)
          return [
            `${file.path} imports ${name}, which no room is allowed: name it in this test and in docs/dev/decisions.md, or do without.`,
          ];
        return allowed.some((start) => file.path.startsWith(start))
          ? []
          : [`${file.path} imports ${name}, which belongs to ${allowed.join(', ')}: put an adapter there.`];
      }),
    );
    expect(problems).toEqual([]);
  });

  it('lists each library only for rooms that use it', () => {
    const used = files.flatMap((file) =>
      file.runtimeImports.filter(isLibrary).map((name) => [packageName(name), file.path] as const),
    );
    const idle = Object.entries(LIBRARIES).flatMap(([name, rooms]) =>
      rooms
        .filter((room) => !used.some(([one, path]) => one === name && path.startsWith(room)))
        .map((room) => `${name}: ${room}`),
    );
    expect(idle).toEqual([]);
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
      /^src\/(cli\/commands|core\/(sweep|push|run|ledger)|dashboard|features\/sandbox)\//.test(path),
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
    const phaseOf = (path: string) => phases.indexOf(/^src\/features\/init\/(\w+)/.exec(path)?.[1] ?? '');
    const backwards = files.flatMap((file) => {
      const own = phaseOf(file.path);
      return localImports(file)
        .filter((target) => own >= 0 && phaseOf(target) > own)
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(backwards).toEqual([]);
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
      ({ path, text }) =>
        roomOf(path) !== 'cli' && /\bconsole\.|process\.std(out|err)/.test(withoutComments(text)),
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
        text,
        imports: imports.map(nameOf),
        runtimeImports: runtime.map(nameOf),
        eagerImports: runtime.filter((match) => match[3] === undefined).map(nameOf),
      };
    });
}

/** `core`, `features`, `dashboard`, `cli`; else the top folder. */
function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/');
  return top === 'src' ? room : top;
}

/** Null: the file is of no feature. */
function featureOf(path: string): string | null {
  return /^src\/features\/([a-z]+)\//.exec(path)?.[1] ?? null;
}

function floorName(path: string): string {
  return path.split('/')[2]?.replace(/\.ts$/, '') ?? '';
}

function floor(path: string): number {
  return FLOORS[floorName(path)] ?? NaN;
}

function isKnown(path: string): boolean {
  const room = roomOf(path);
  if (room === 'core') return floorName(path) in FLOORS;
  if (room === 'features') return path === STORES || (featureOf(path) ?? '') in FEATURES;
  return room === 'dashboard' || room === 'cli';
}

/** The ledger, and what the list of all stores loads of the features. */
function storeFiles(): ReadonlySet<string> {
  const found = new Set(
    files.filter(({ path }) => path.startsWith('src/core/ledger/')).map(({ path }) => path),
  );
  const visit = (path: string): void => {
    const file = files.find((each) => each.path === path);
    if (file === undefined || (path !== STORES && featureOf(path) === null) || found.has(path)) return;
    found.add(path);
    localImports({ ...file, imports: file.runtimeImports }).forEach(visit);
  };
  visit(STORES);
  return found;
}

/** Imports of a room's files from rooms that are refused. */
function edges(room: string, isRefused: (room: string) => boolean): string[] {
  return files
    .filter(({ path }) => roomOf(path) === room)
    .flatMap((file) =>
      localImports(file)
        .filter((target) => isRefused(roomOf(target)))
        .map((target) => `${file.path} imports ${target}`),
    );
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
