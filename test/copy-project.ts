import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Parts of the project in a folder of its own. */
export interface ProjectCopy {
  readonly folder: string;
  /** Replaces `from` wherever `file` has it. Gives the undoing. Errors: when `file` does not have it. */
  patch(file: string, from: string, to: string): () => void;
  remove(): void;
}

/** Copies these files and folders of the project, and links its node_modules. */
export function copyProject(names: readonly string[]): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-copy-'));
  for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    patch(file, from, to) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no longer: ${from}`);
      writeFileSync(
        path,
        text.replaceAll(from, () => to),
      );
      return () => writeFileSync(path, text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
