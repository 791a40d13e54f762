import type { Column } from './entity.js';

export const ROW_VERSION: Column = {
  name: 'row_version',
  description:
    'Text that changes when the row changes; at most 500 bytes. Left out or null: the worker compares a hash of the row.',
};

/** The columns that say which record a row is, and whether it changed. `record`: the word for one of them. */
export function keyColumns(record: string): readonly Column[] {
  return [
    {
      name: 'key',
      required: true,
      description: `The partner’s primary key of the ${record}; never changes.`,
    },
    ROW_VERSION,
  ];
}

/** A region in the home country. */
export const HOME_REGION_COLUMNS: readonly Column[] = [
  {
    name: 'region_type',
    field: 'region.type',
    lookup: true,
    description: 'Kind of region that region_id names; `city` when absent.',
  },
  {
    name: 'region_id',
    field: 'region.id',
    lookup: true,
    whole: true,
    description: 'The platform’s region id (UUID), or a code with a lookup.',
  },
];

/** The columns that `readRegion` makes a region of. */
export const REGION_COLUMNS: readonly Column[] = [
  ...HOME_REGION_COLUMNS,
  {
    name: 'region_country_code',
    field: 'region.country_code',
    lookup: true,
    description: 'Country code of a region abroad; null in the home country.',
  },
];
