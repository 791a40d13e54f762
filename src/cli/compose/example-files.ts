import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './package-info.js';

/** A file of the package that a partner begins with. */
export interface ExampleFile {
  /** Full path in the package. */
  readonly from: string;
  /** Its place below the partner's folder. */
  readonly to: string;
}

const FOLDERS: readonly string[] = ['queries', 'reference'];

/** Configuration, its schema for editors, queries, lookups and the list of variables (which the image does not have). */
export function exampleFiles(): readonly ExampleFile[] {
  const config = join(PACKAGE_ROOT, 'config');
  return [
    { from: join(config, 'placement-sync.example.yaml'), to: 'placement-sync.yaml' },
    { from: join(config, 'placement-sync.schema.json'), to: 'placement-sync.schema.json' },
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(config, folder))
        .sort()
        .map((name) => ({ from: join(config, folder, name), to: join(folder, name) })),
    ),
    { from: join(PACKAGE_ROOT, '.env.example'), to: '.env.example' },
  ].filter(({ from }) => existsSync(from));
}
