import { ADDRESS, CITY, COUNTRY, EMAIL, LOGO, NAME, PHONE } from './shared-targets.js';
import { target, type Target } from './target.js';

/** Columns of institutions. */
export const INSTITUTION_TARGETS: readonly Target[] = [
  target(
    'name',
    'text',
    `${NAME} nama_lembaga institution_name provider_name nama_balai`,
    'title label display_name short_name',
  ),
  CITY,
  COUNTRY,
  ADDRESS,
  PHONE,
  EMAIL,
  LOGO,
];
