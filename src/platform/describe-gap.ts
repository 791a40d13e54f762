import type { Operation } from '../contract/operation.js';
import {
  oneLine,
  PLATFORM_ID,
  type ReplyGap,
  type ReplySettings,
  WHOLE_REPLY,
} from '../domain/reply/reply.js';
import { isObject, readRefusal } from '../domain/reply/refusal.js';

/** What a 2xx lacks. */
export type Gap =
  | { readonly part: 'status'; readonly status: number; readonly empty: boolean }
  | { readonly part: 'page' }
  | { readonly part: 'body'; readonly status: number }
  /** `beyond`: it is JSON, but none that can be a record. */
  | { readonly part: 'json'; readonly status: number; readonly beyond: boolean }
  | { readonly part: 'failure' | 'data'; readonly status: number; readonly json: unknown }
  | { readonly part: 'reference'; readonly json: unknown };

/** Names of fields that are listed. */
const MOST_NAMES = 8;

/**
 * The missing part, and which setting says where it is. The hint is our own text, because notices show it; the names of
 * the fields that the platform sent are in `malformed`. Pure.
 */
export function describeGap(
  gap: Gap,
  { name, title }: Pick<Operation, 'name' | 'title'>,
  { accepted: common, data, reference }: Pick<ReplySettings, 'accepted' | 'data' | 'reference'>,
): ReplyGap {
  const own = `platform.operations.${name}.accepted`;
  switch (gap.part) {
    case 'status':
      return {
        malformed: `${gap.status} is not among the accepted statuses`,
        hint: gap.empty
          ? `If HTTP ${gap.status} without a body means success of ${title}: name ${gap.status} in ${own}.`
          : `If HTTP ${gap.status} means success of ${title}: name ${gap.status} in ${own}, or for all operations in platform.replies.accepted (now ${common.join(', ')}).`,
      };
    case 'page':
      return {
        malformed: 'the body is a web page',
        hint: `The reply to ${title} is a web page, so a proxy or the edge answers in place of the platform: check baseUrl and platform.proxy.`,
      };
    case 'body':
      return {
        malformed: 'the body is empty',
        hint: `The reply to ${title} has no body. If that means success: name ${gap.status} in ${own}.`,
      };
    case 'json':
      if (gap.beyond)
        return {
          malformed: 'the body is JSON that is nested too deep, or has a number that is too large',
          hint: judgeHint(
            `The reply to ${title} is nested too deep, or has a number that is too large.`,
            gap.status,
          ),
        };
      return {
        malformed: 'the body is not JSON',
        hint: judgeHint(`The reply to ${title} is not JSON.`, gap.status),
      };
    case 'failure':
      return {
        malformed: `the reply says that it failed: ${readRefusal(gap.json).message ?? 'without a word'}`,
        hint: `A reply to ${title} with HTTP ${gap.status} says that it failed. A rule says what it means: platform.replies.judge: [{ status: ${gap.status}, match: TEXT, as: rejected }], or as: authentication-refused, deferred, missing or accepted.`,
      };
    case 'data':
      return {
        malformed: `${data === WHOLE_REPLY ? 'the result' : data} is ${isThere(gap.json) ? 'no object' : 'missing'}${shown('the reply', gap.json)}`,
        hint: `The reply to ${title} has no object where the result should be. If the result stands elsewhere: name the place in platform.replies.data (now ${data}; ${WHOLE_REPLY} is the reply itself, data.0 the first of a list). If there is none: platform.replies.judge: [{ status: ${gap.status}, match: TEXT, as: accepted }], or as: rejected.`,
      };
    case 'reference':
      return {
        malformed: `data.${reference} is missing${isObject(gap.json) ? shown('data', gap.json.data) : ''}`,
        hint: `platform.replies.reference (now ${reference}) names the field in the reply to ${title} that links children to it. Its path begins in data, or at the beginning of the reply. With ${PLATFORM_ID}, children name the id of the path.`,
      };
  }
}

/** The gap, and the reference that is missing, too: a person who reads both corrects both at once. Pure. */
export function describeGaps(
  gap: Gap,
  unlinked: Gap | null,
  operation: Pick<Operation, 'name' | 'title'>,
  settings: Pick<ReplySettings, 'accepted' | 'data' | 'reference'>,
): ReplyGap {
  const first = describeGap(gap, operation, settings);
  if (unlinked === null || ['reference', 'page', 'failure'].includes(gap.part)) return first;
  return { ...first, hint: `${first.hint} ${describeGap(unlinked, operation, settings).hint}` };
}

/** The result is there, and is a list, a text or null. */
function isThere(json: unknown): boolean {
  return isObject(json) && json.data !== undefined;
}

function judgeHint(what: string, status: number): string {
  return `${what} If it means success, a rule says so: platform.replies.judge: [{ status: ${status}, match: TEXT, as: accepted }].`;
}

/** `; data has id, name`: what there is instead. */
function shown(where: string, value: unknown): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : `; ${where} is no object`;
  const names = Object.keys(value).map(oneLine);
  const more = names.length > MOST_NAMES ? ', …' : '';
  return names.length === 0
    ? `; ${where} is empty`
    : `; ${where} has ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
