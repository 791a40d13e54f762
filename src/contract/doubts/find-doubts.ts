import { NO_DOUBTS, type Doubt, type DoubtedBody, type DoubtRule } from './doubt.js';

/** Everything that the rules doubt in a body, in their order. Pure. */
export function findDoubts(
  rules: readonly DoubtRule[],
  body: DoubtedBody,
  today: string | null,
): readonly Doubt[] {
  let found: Doubt[] | null = null;
  for (const rule of rules) {
    const doubts = rule(body, today);
    if (doubts.length > 0) found = [...(found ?? []), ...doubts];
  }
  return found ?? NO_DOUBTS;
}
