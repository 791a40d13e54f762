import { isAlias, isNode, isPair, isScalar, isSeq, visit, Scalar, type Document, type Node } from 'yaml';
import type { SettingPath } from './problem.js';

/** A value that YAML takes for something else because it is not in quotes; `offset` in the text. */
export interface UnquotedValue {
  readonly path: SettingPath;
  readonly offset: number;
  readonly message: string;
}

/**
 * Finds values that begin with `*`, `!` or `&` and were not meant as YAML's alias, tag or anchor, as passwords do.
 * Each is replaced by null in the document, so that the rest of it can be read and checked. The messages do not
 * repeat the value.
 */
export function takeUnquotedValues(document: Document): UnquotedValue[] {
  const found: UnquotedValue[] = [];
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  visit(document, {
    Node(key, node, ancestors) {
      const message = wrongWith(node, document, ancestors, used);
      if (message === null) return;
      found.push({ path: pathOf(ancestors, key), offset: node.range?.[0] ?? 0, message });
      const nothing = new Scalar(null);
      nothing.range = node.range ?? null;
      return nothing;
    },
  });
  return found;
}

function wrongWith(
  node: Node,
  document: Document,
  ancestors: readonly unknown[],
  used: ReadonlySet<string>,
): string | null {
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (target === undefined) return 'a value that begins with * needs quotes';
    return ancestors.includes(target) ? 'an alias (*) cannot stand inside of what it repeats' : null;
  }
  // !!str is harmless: it makes text of a number, as quotes do.
  if (node.tag !== undefined && node.tag !== 'tag:yaml.org,2002:str')
    return 'a value that begins with "!" needs quotes';
  if (isScalar(node) && node.anchor !== undefined && !used.has(node.anchor))
    return 'a value that begins with & needs quotes';
  return null;
}

function pathOf(ancestors: readonly unknown[], last: string | number | null): SettingPath {
  const path: (string | number)[] = [];
  ancestors.forEach((node, index) => {
    const next = ancestors[index + 1];
    if (isPair(node) && isScalar(node.key)) path.push(String(node.key.value));
    if (isSeq(node)) path.push(isNode(next) ? node.items.indexOf(next) : Number(last));
  });
  return path;
}
