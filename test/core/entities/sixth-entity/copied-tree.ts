import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ENTITY_NAMES } from '../../../../src/core/entities/registry.js';
import { copyProject } from '../../../copy-project.js';

const OWN = fileURLToPath(new URL('.', import.meta.url));

const COPIED = [
  ...[
    'src',
    'migrations',
    'config',
    'docs',
    'bench',
    'test/fixtures',
    'README.md',
    'package.json',
    'build.ts',
    'LICENSE',
  ],
  ...['tsconfig.json', '.prettierrc.json', '.env.example', 'deploy/prometheus'],
];

/** The project in a folder of its own, with one entity more, built. */
export interface CopiedTree {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs the built command line to its end. Gives what it printed on stdout, whatever it exits with. */
  cli(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ code: number; stdout: string; stderr: string }>;
  start(args: readonly string[]): ChildProcess;
  /** Runs a program of node_modules/.bin. Gives what it printed. */
  bin(name: string, ...args: string[]): Promise<string>;
  remove(): void;
}

/**
 * Copies the project and adds `canteens` as a newcomer does: one contract file, one entity file, and its line in the
 * registry; for `init` the words that it is known by. Nothing else of the tree is touched. Refuses when the project has canteens of its own: they would be
 * overwritten unnoticed.
 */
export async function copyWithCanteens(): Promise<CopiedTree> {
  const [taken] = [
    'src/core/contract/canteen.ts',
    'src/core/entities/canteens.ts',
    'config/queries/canteens.sql',
  ].filter((path) => existsSync(path));
  if (taken !== undefined || ENTITY_NAMES.includes('canteens'))
    throw new Error(
      `${taken ?? 'The registry'} has canteens: give the sixth entity of this test a name that nobody will use.`,
    );
  const { folder, remove } = copyProject(COPIED);
  /** In this folder the files are type-checked and linted; in the copy they stand where a newcomer puts them. */
  const add = (from: string, to: string, imports: readonly (readonly [string, string])[]) => {
    const text = readFileSync(join(OWN, from), 'utf8');
    const placed = imports.reduce((all, [here, there]) => all.replaceAll(`'${here}`, `'${there}`), text);
    writeFileSync(join(folder, to), placed);
  };
  add('canteen.ts', 'src/core/contract/canteen.ts', [['../../../../src/core/contract/', './']]);
  add('canteens.ts', 'src/core/entities/canteens.ts', [
    ['../../../../src/core/entities/', './'],
    ['./canteen.js', '../contract/canteen.js'],
  ]);
  add('canteen-drafting.ts', 'src/features/init/drafting/canteen-drafting.ts', [
    ['../../../../src/features/init/drafting/', './'],
  ]);
  const registry = join(folder, 'src/core/entities/registry.ts');
  const lines = readFileSync(registry, 'utf8').split('\n');
  const place = lines.findIndex((line) => line.includes('vacancies:'));
  if (place < 0) throw new Error('the registry has no line of vacancies');
  lines.splice(place + 1, 0, "  canteens: async () => (await import('./canteens.js')).canteens,");
  writeFileSync(registry, lines.join('\n'));
  const draftings = join(folder, 'src/features/init/drafting/all.ts');
  const found = readFileSync(draftings, 'utf8').replace(
    /^(export const DRAFTINGS.*)$/m,
    "import { CANTEEN_DRAFTING } from './canteen-drafting.js';\n$1\n  canteens: CANTEEN_DRAFTING,",
  );
  writeFileSync(draftings, found);

  const bin = async (name: string, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(join(folder, 'node_modules/.bin', name), args, {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    return stdout;
  };
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: folder });
  const main = join(folder, 'dist/src/cli/main.js');
  const environment = { PATH: process.env.PATH, TZ: process.env.TZ };
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    cli: (args, env = {}) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          [main, ...args],
          { cwd: folder, env: { ...environment, ...env } },
          (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
        );
      }),
    start: (args) => spawn(process.execPath, [main, ...args], { cwd: folder, env: environment }),
    bin,
    remove,
  };
}
