import type { EntityName } from '../../entity-name.js';
import type { Consequence } from '../../guard/approval-consequences.js';
import { USUAL_CLOSED_STATUS } from '../../guard/usual-closed-status.js';
import type { Language } from '../../language.js';
import { CONSEQUENCE_TEXTS } from './consequence-texts.js';
import type { Words } from './trouble-text.js';

/** What an approval of the entity causes, one sentence each, in one language. Pure. */
export function describeConsequences(
  consequences: readonly Consequence[],
  entity: EntityName,
  language: Language,
  words: Pick<Words, 'entity' | 'number'>,
): readonly string[] {
  const texts = CONSEQUENCE_TEXTS[language];
  // A title begins with a capital letter; within a sentence it does not.
  const name = words.entity(entity).toLowerCase();
  const records = (count: number) => texts.records(words.number(count), name, count === 1);
  return consequences.map((consequence) => {
    switch (consequence.does) {
      case 'close': {
        const { count, status } = consequence;
        return texts.close(records(count), status === USUAL_CLOSED_STATUS ? null : status);
      }
      case 'create-again':
        return texts.createAgain(records(consequence.count));
      case 'update':
        return texts.update(records(consequence.count));
      case 'delete':
        return texts.delete(records(consequence.count));
      case 'mark-vanished':
        return texts.markVanished(records(consequence.count));
      case 'mark-invalid':
        return texts.markInvalid(records(consequence.count));
      case 'send-again': {
        const { count } = consequence;
        return texts.sendAgain(
          texts.rejectedRecords(count === null ? null : words.number(count), name, count === 1),
        );
      }
    }
  });
}
