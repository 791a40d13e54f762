import type { JsonObject } from '../../domain/row.js';
import type { Judgement, Reply, ReplyLinks } from '../../domain/reply/reply.js';

/** What the platform answered about one record. */
export type Found =
  | { readonly kind: 'found'; readonly data: JsonObject; readonly links: ReplyLinks }
  | { readonly kind: 'missing' }
  /** No usable reply after all tries. */
  | { readonly kind: 'unanswered'; readonly message: string };

/**
 * What a judged reply to a Find says about its record; null: nothing, so the record is read again. A 404 that is a web
 * page comes from the edge in front of the platform, not from the platform. Pure.
 */
export function judgeFind(reply: Reply, judgement: Judgement): Found | null {
  if (judgement.kind === 'accepted') {
    const result = reply.kind === 'answered' ? reply.result : null;
    return result?.data === undefined
      ? { kind: 'unanswered', message: 'the reply has no data' }
      : { kind: 'found', data: result.data, links: { id: result.id, reference: result.reference } };
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
