import type { Language } from '../../language.js';
import type { Trouble, TroubleOf } from '../trouble.js';
import type { TroubleKind } from '../trouble-kinds.js';
import type { TroubleText, Words } from './trouble-text.js';
import { TROUBLE_TEXTS } from './trouble-texts.js';

/** A trouble in words, in one language. Pure. */
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
