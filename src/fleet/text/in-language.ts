import type { Language } from '../../domain/names.js';
import { ENGLISH_FLEET } from './english-fleet.js';
import type { FleetTexts } from './fleet-texts.js';
import { INDONESIAN_FLEET } from './indonesian-fleet.js';

/** The texts of the fleet's pages by language. */
export const FLEET_TEXTS: Readonly<Record<Language, FleetTexts>> = {
  en: ENGLISH_FLEET,
  id: INDONESIAN_FLEET,
};
