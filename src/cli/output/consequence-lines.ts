import type { EntityName } from '../../domain/names.js';
import type { Consequence } from '../../domain/guard.js';
import { CONSEQUENCE_TEXTS, describeConsequences } from '../../domain/trouble/consequences.js';
import { PLAIN_WORDS } from '../../domain/trouble/describe-trouble.js';

/** `If you approve:`, then one line for each thing that follows; none when nothing follows. Pure. */
export function consequenceLines(
  consequences: readonly Consequence[],
  entity: EntityName,
): readonly string[] {
  const sentences = describeConsequences(consequences, entity, 'en', PLAIN_WORDS);
  if (sentences.length === 0) return [];
  return [CONSEQUENCE_TEXTS.en.ifApproved, ...sentences.map((sentence) => `  ${sentence}`)];
}
