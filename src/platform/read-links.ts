import type { Operation } from '../contract/operation.js';
import { isObject, valueAt } from '../domain/reply/refusal.js';
import { PLATFORM_ID, type ReplyLinks, type ReplySettings } from '../domain/reply/reply.js';
import { ENTITIES } from '../entities/index.js';

/** Longest id or reference: more is a text and no name of a record. */
const LONGEST = 200;

/**
 * The links in the reply's `data`. A Find shows a record in another shape than a Put, so there they may stand in
 * any object that bears the record. What stands in `data` wins over what stands in the reply itself, which is for a platform that
 * wraps its results in another way.
 */
export function readLinks(
  json: unknown,
  {
    operation: { name, kind },
    platformId,
    settings: { reference },
  }: {
    readonly operation: Pick<Operation, 'name' | 'kind'>;
    readonly platformId: string;
    readonly settings: Pick<ReplySettings, 'reference'>;
  },
): ReplyLinks {
  const data = isObject(json) && isObject(json.data) ? json.data : null;
  const first = (paths: readonly string[], inReply: readonly string[]) =>
    [...paths.map((path) => linkAt(data, path)), ...inReply.map((path) => linkAt(json, path))].find(
      (link) => link !== null,
    ) ?? null;
  const containers = (kind === 'GET' ? readBackBy(name)?.containers : null) ?? [''];
  const within = (field: string) => containers.map((path) => (path === '' ? field : `${path}.${field}`));
  const id = first(within('id'), []);
  return {
    id: id === null ? null : String(id),
    reference: reference === PLATFORM_ID ? platformId : first(within(reference), [reference]),
  };
}

function readBackBy(find: string) {
  return ENTITIES.find(({ readBack }) => readBack?.find === find)?.readBack;
}

/** The value at a dotted path, if it can be a link: text of usual characters, or a whole number; null otherwise. */
export function linkAt(value: unknown, path: string): string | number | null {
  const found = valueAt(value, path);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? found : null;
  if (typeof found !== 'string' || found.trim() === '' || found.length > LONGEST) return null;
  // What the ledger cannot hold would lose all outcomes of a group.
  return /[\p{Cc}\p{Cs}]/u.test(found) ? null : found;
}
