import type { EntityName } from '../../domain/entity-name.js';
import type { Consequence } from '../../domain/guard/approval-consequences.js';
import { CONSEQUENCE_TEXTS } from '../../domain/trouble/text/consequence-texts.js';
import { describeConsequences } from '../../domain/trouble/text/describe-consequences.js';
import { PLAIN_WORDS } from '../../domain/trouble/text/plain-words.js';

/** `If you approve:`, then one line for each thing that follows; none when nothing follows. Pure. */
export function consequenceLines(
  consequences: readonly Consequence[],
  entity: EntityName,
): readonly string[] {
  const sentences = describeConsequences(consequences, entity, 'en', PLAIN_WORDS);
  if (sentences.length === 0) return [];
  return [CONSEQUENCE_TEXTS.en.ifApproved, ...sentences.map((sentence) => `  ${sentence}`)];
}
