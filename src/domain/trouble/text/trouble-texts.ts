import type { Language } from '../../language.js';
import { ENGLISH_TROUBLES } from './english-troubles.js';
import { INDONESIAN_TROUBLES } from './indonesian-troubles.js';
import type { TroubleTexts } from './trouble-text.js';

/** Every text about troubles, for run, status, dashboard and notices. */
export const TROUBLE_TEXTS: Readonly<Record<Language, TroubleTexts>> = {
  en: ENGLISH_TROUBLES,
  id: INDONESIAN_TROUBLES,
};
