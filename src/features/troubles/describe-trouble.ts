import type { Language } from '../../core/domain/names.js';
import { counted, grouped, largestUnit } from '../../core/domain/text.js';
import type { TroubleText, TroubleTexts, Words } from './consequences.js';
import { ENGLISH_TROUBLES } from './english.js';
import { hintCommands } from './hints.js';
import { INDONESIAN_TROUBLES } from './indonesian.js';
import type { Trouble, TroubleKind, TroubleOf } from '../../core/domain/trouble/trouble.js';

/** A trouble in words, in one language. */
export function describeTrouble(trouble: Trouble, language: Language, words: Words): TroubleText {
  return textOf(trouble.kind, trouble, language, words);
}

/** Kind and trouble belong together; the union alone does not show the compiler. */
function textOf<Kind extends TroubleKind>(
  kind: Kind,
  trouble: Trouble,
  language: Language,
  words: Words,
): TroubleText {
  return TROUBLE_TEXTS[language].troubles[kind](trouble as TroubleOf<Kind>, words);
}

/** Every text about troubles, for run, status, dashboard and notices. */
export const TROUBLE_TEXTS: Readonly<Record<Language, TroubleTexts>> = {
  en: ENGLISH_TROUBLES,
  id: INDONESIAN_TROUBLES,
};

/** English with the names that commands use, and times that do not depend on when they are read. */
export const PLAIN_WORDS: Words = {
  entity: (name) => name,
  area: (name) => `area ${name}`,
  number: grouped,
  when: (at) => `at ${at.toISOString()}`,
  span(ms) {
    const [unit, length] = largestUnit(ms);
    const value = Math.round((ms / length) * 10) / 10;
    return counted(value, unit);
  },
};

/** A trouble as a warning of the log: what is wrong, and what to do. */
export function troubleWarning(trouble: Trouble): { readonly message: string; readonly hint: string } {
  const { title, sentence, hint } = describeTrouble(trouble, 'en', PLAIN_WORDS);
  const commands = hintCommands(trouble, null).map((words) => `placement-sync ${words.join(' ')}`);
  return { message: `${title}. ${sentence}`, hint: [hint, ...commands].join(' ') };
}
