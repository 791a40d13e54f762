import type { Operation } from '../contract/operation.js';
import { isObject } from '../domain/reply/refusal.js';
import { PLATFORM_ID, type ReplySettings } from '../domain/reply/reply-settings.js';
import type { ReplyLinks } from '../domain/reply/reply.js';
import { ENTITIES } from '../entities/index.js';

/** Longest id or reference: more is a text and no name of a record. */
const LONGEST = 200;

/**
 * The links in the reply's `data`. A Find shows a record in another shape than a Put, so there the contract's place of
 * the reference counts too. What stands in `data` wins over what stands in the reply itself, which is for a platform that
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
  const shown =
    kind === 'GET' ? ENTITIES.find(({ readBack }) => readBack?.find === name)?.readBack?.linkPaths : null;
  const id = first([...(shown ? [shown.id] : []), 'id'], []);
  const beside = shown ? [besides(shown.reference, reference)] : [];
  return {
    id: id === null ? null : String(id),
    reference: reference === PLATFORM_ID ? platformId : first([...beside, reference], [reference]),
  };
}

/** `employer.reference` and `number` give `employer.number`. */
function besides(path: string, name: string): string {
  return [...path.split('.').slice(0, -1), name].join('.');
}

/** The value at a dotted path, if it can be a link: text of usual characters, or a whole number; null otherwise. */
export function linkAt(value: unknown, path: string): string | number | null {
  const found = path
    .split('.')
    .reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), value);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? found : null;
  if (typeof found !== 'string' || found.trim() === '' || found.length > LONGEST) return null;
  // What the ledger cannot hold would lose all outcomes of a group.
  return /[\p{Cc}\p{Cs}]/u.test(found) ? null : found;
}
