import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type LineCounter } from 'yaml';
import type { SettingPath } from './problem.js';

/**
 * The line of a setting: of its key, or of the list's item. For a missing setting, the line of the block that lacks
 * it.
 *
 * @returns line, counted from 1
 */
export function locate(document: Document, lines: LineCounter, path: SettingPath): number {
  return locateColumn(document, lines, path).line;
}

/** The same with the column, both counted from 1. */
export function locateColumn(
  document: Document,
  lines: LineCounter,
  path: SettingPath,
): { readonly line: number; readonly column: number } {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
