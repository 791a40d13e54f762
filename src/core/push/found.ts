import type { AdapterState } from '../contract/adapter.js';
import { cachedFind, type Judgement, type Reply, type ReplyLinks } from '../domain/reply/reply.js';
import type { JsonObject } from '../domain/row.js';
import { showsAnything } from '../entities/shown-values.js';
import type { ReadBack } from '../entities/read-back.js';

/**
 * What the reply to a Find says about its record. A reply that shows none of the record's fields is not understood
 * (`understoodFind`); a judged one shows the record, says that there is none, or says nothing (`judgeFind`).
 */

export type Found =
  | {
      readonly kind: 'found';
      readonly data: JsonObject;
      readonly links: ReplyLinks;
      /** What the platform makes of it, where the adapter says so. */
      readonly state?: AdapterState | undefined;
      /** Of the Find. */
      readonly requestId: string;
    }
  | { readonly kind: 'missing' }
  /** No usable reply after all tries. */
  | {
      readonly kind: 'unanswered';
      readonly message: string;
      /** The cache that answered in place of the platform; absent: none. */
      readonly cache?: string;
    };

/**
 * What a judged reply to a Find says about its record; null: nothing, so the record is read again. A 404 that is a web
 * page comes from the edge in front of the platform, not from the platform. What a cache has, the platform had once.
 */
export function judgeFind(reply: Reply, judgement: Judgement, requestId: string): Found | null {
  const cache = reply.kind === 'answered' ? reply.cache : undefined;
  if (cache !== undefined && ['accepted', 'refused', 'not-understood'].includes(judgement.kind))
    return { kind: 'unanswered', message: cachedFind(cache), cache };
  if (judgement.kind === 'accepted') {
    const result = reply.kind === 'answered' ? reply.result : null;
    const verdict = reply.kind === 'answered' ? reply.adapted : undefined;
    return result?.data === undefined
      ? { kind: 'unanswered', message: 'the reply has no data' }
      : {
          kind: 'found',
          data: result.data,
          links: { id: result.id, reference: result.reference },
          state: verdict !== undefined && 'found' in verdict ? verdict.state : undefined,
          requestId,
        };
  }
  // Another try would bring the same.
  if (judgement.kind === 'not-understood') return { kind: 'unanswered', message: judgement.message };
  if (judgement.kind !== 'refused') return null;
  if (judgement.missing) return { kind: 'missing' };
  const fromPlatform = reply.kind === 'answered' && !reply.html;
  return judgement.statusCode === 404 && fromPlatform
    ? { kind: 'missing' }
    : { kind: 'unanswered', message: judgement.message };
}

/** A reply to a Find that shows none of the record's fields is not understood: it says nothing about the record. */
export function understoodFind(reply: Reply, readBack: ReadBack): Reply {
  if (reply.kind !== 'answered' || reply.adapted || reply.result?.data === undefined) return reply;
  if (showsAnything(readBack, reply.result.data)) return reply;
  return { ...reply, result: null, malformed: 'data: shows none of the fields of the record' };
}
