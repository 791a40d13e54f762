import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, BUGS } from './table.js';

export interface Mutant extends Bug {
  /** The heading in docs/trust.md; empty: the rule is about what is reported. */
  readonly promise: string;
  readonly file: string;
  readonly title: string | undefined;
}

export const MUTANTS: readonly Mutant[] = Object.entries(BUGS).flatMap(([promise, bugs]) =>
  bugs.map((bug) => ({ ...bug, promise, file: `test/${bug.test[0]}`, title: bug.test[1] })),
);

interface Declaration {
  readonly path: string;
  /** The text of its file before it, its own, and what follows. */
  readonly parts: readonly [before: string, own: string, after: string];
}

const declarations = new Map<string, Declaration[]>();
for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.ts')) readDeclarations(join('src', name));

function readDeclarations(path: string): void {
  const text = readFileSync(path, 'utf8');
  let at = 0;
  for (const own of text.split(/^(?=\/\*\*|[a-z])/m)) {
    const before = text.slice(0, at);
    at += own.length;
    const name = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/.exec(own)?.[1];
    if (name === undefined) continue;
    const parts = [before, own, text.slice(at)] as const;
    declarations.set(name, [...(declarations.get(name) ?? []), { path, parts }]);
  }
}

/** A file without and with the bug, for each place that the bug fits. */
export function planted({ at, swap: [from, to] }: Bug): { path: string; was: string; text: string }[] {
  const [name = '', file = ''] = at.split(' ').toReversed();
  const pattern = new RegExp(
    typeof from === 'string' ? from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : from,
    'g',
  );
  return (declarations.get(name) ?? [])
    .filter(({ path }) => path.endsWith(`${file}.ts`))
    .flatMap(({ path, parts: [before, own, after] }) => {
      const changed = typeof from === 'string' ? own.replace(from, () => to) : own.replace(from, to);
      const file = { path, was: before + own + after, text: before + changed + after };
      return Array.from(own.matchAll(pattern), () => file);
    });
}
