import { PLATFORM_ID } from '../../reply/reply-settings.js';
import { valueAt } from '../../reply/value-at.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { referenceOf } from '../reference-of.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

/** A reference that changes makes the worker send all children again. */
export function judgeSameReference(seen: ProbeSeen): Verdict {
  const { put, putAgain, restored, rules } = seen;
  if (put === null || putAgain === null) return notTried(seen);
  if (rules.reference === PLATFORM_ID) return confirmed('not needed: children name the id of the path');
  const replies = [put, putAgain, restored].filter((reply) => reply !== null);
  const references = replies.map(referenceOf).filter((reference) => reference !== null);
  if (references.length < 2) return unknown('the replies give no reference to compare');
  if (new Set(references).size === 1) return confirmed(`the same in ${references.length} replies`);
  const ids = replies.map((reply) =>
    reply.kind === 'answered' ? valueAt(reply.json, 'data.id') : undefined,
  );
  const stable = rules.reference !== 'id' && ids[0] !== undefined && new Set(ids).size === 1;
  return differs(`another reference at every Put${stable ? '; data.id stays the same' : ''}`);
}
