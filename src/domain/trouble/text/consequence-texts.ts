import type { Language } from '../../language.js';
import type { ConsequenceTexts } from './consequence-text.js';
import { ENGLISH_CONSEQUENCES } from './english-consequences.js';
import { INDONESIAN_CONSEQUENCES } from './indonesian-consequences.js';

/** What an approval causes, in every language. */
export const CONSEQUENCE_TEXTS: Readonly<Record<Language, ConsequenceTexts>> = {
  en: ENGLISH_CONSEQUENCES,
  id: INDONESIAN_CONSEQUENCES,
};
