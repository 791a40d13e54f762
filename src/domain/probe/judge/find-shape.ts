import { describeSeen, listFields } from '../describe-seen.js';
import { isConclusive } from '../is-conclusive.js';
import type { Verdict } from '../probe-check.js';
import type { FoundRecord, ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

/** Fields that are not shown are never compared, so they change nothing. */
export function judgeFindShape(seen: ProbeSeen): Verdict {
  const found = [seen.found, seen.foundChild].filter((each) => each !== null);
  if (found.length === 0) return notTried(seen);
  const verdicts = found.map((each) => ({ each, ...judge(each) }));
  const worst =
    verdicts.find(({ result }) => result === 'differs') ??
    verdicts.find(({ result }) => result === 'unknown');
  const shown = worst ? [worst] : verdicts;
  const text = shown.map(({ each, seen: words }) => `${each.noun}: ${words}`).join('. ');
  return { result: worst?.result ?? 'confirmed', seen: text };
}

function judge({ reply, misfit, shown, hidden, differing }: FoundRecord): Verdict {
  if (!isConclusive(reply)) {
    return unknown(describeSeen(reply));
  }
  if (reply.status > 299) return differs(`${describeSeen(reply)}, right after the Put`);
  if (misfit !== null) return differs(misfit);
  if (differing.length > 0) return differs(`another value than was sent: ${listFields(differing)}`);
  const typed = shown.flatMap(({ field, as }) => (as === null ? [] : [`${field} as ${as}`]));
  const parts = [
    `${shown.length} of ${shown.length + hidden.length} fields come back`,
    ...(typed.length === 0 ? [] : [`other types: ${listFields(typed)}`]),
    ...(hidden.length === 0 ? [] : [`not shown, so not compared: ${listFields(hidden)}`]),
  ];
  return confirmed(parts.join('; '));
}
