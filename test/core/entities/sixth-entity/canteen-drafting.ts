import * as draft from '../../../../src/features/init/drafting/drafting.js';

/** Canteens in the databases of partners. */
export const CANTEEN_DRAFTING: draft.Drafting = {
  alias: 'k',
  tables: { sure: 'canteen, kantin', maybe: 'cafeteria' },
  targets: draft.targets({ name: draft.text('name nama'), address: draft.text('address alamat') }),
  telling: { name: 3, address: 1 },
  wanted: ['company_key', 'name'],
  fromParent: [],
};
