import type { Translated } from '../../dashboard/text/texts.js';
import type { ENGLISH_FLEET } from './english-fleet.js';
import type { ENGLISH_REASONS } from './english-reasons.js';

/** The reasons in one language. */
export type ReasonTexts = Translated<typeof ENGLISH_REASONS>;

/** Every text of the fleet's pages in one language. */
export type FleetTexts = Translated<typeof ENGLISH_FLEET>;
