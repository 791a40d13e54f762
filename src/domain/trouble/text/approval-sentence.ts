import type { Language } from '../../language.js';
import type { TroubleOf } from '../trouble.js';
import { CONSEQUENCE_TEXTS } from './consequence-texts.js';
import { describeConsequences } from './describe-consequences.js';
import type { Words } from './trouble-text.js';

/** ` If you approve: 3 vacancies will be CLOSED at the platform.` Empty: nothing is known about it. Pure. */
export function approvalSentence(
  trouble: TroubleOf<'held' | 'push-held'>,
  language: Language,
  words: Words,
): string {
  const { ifApproved, isApproved } = CONSEQUENCE_TEXTS[language];
  const { consequences, subject } = trouble;
  const sentences = describeConsequences(consequences, subject.entity, language, words);
  if (sentences.length === 0) return '';
  const begin = trouble.kind === 'held' && trouble.approved ? isApproved : ifApproved;
  return ` ${[begin, ...sentences].join(' ')}`;
}
