import { institutionContract } from '../contract/institution.js';
import type { Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames, unshown } from './read-back.js';
import { readRegion, type RowReader } from './row-reader.js';
import { column, keyColumns, REGION_COLUMNS } from './columns.js';
import { webAddress } from './values.js';

const COLUMNS = [
  ...keyColumns('institution'),
  column('name', 'Name of the institution.', { required: true }),
  ...REGION_COLUMNS,
  column('address', 'Street address.'),
  column('phone', 'Telephone number.'),
  column('email', 'E-mail address; sent as null when absent.'),
  column('logo_uri', 'Address of the logo picture, with http:// or https://.'),
];

function body(read: RowReader) {
  return {
    region: readRegion(read),
    name: read.text('name'),
    address: read.text('address'),
    phone: read.text('phone'),
    email: read.text('email') ?? null,
    logo_uri: read.value('logo_uri', webAddress),
  };
}

const READ_BACK = readBackOf(
  institutionContract,
  { id: 'id', reference: 'reference', clientIds: ['client_id'] },
  [
    ...sameNames('text', '', 'name', 'address', 'phone', 'email'),
    ...regionFields(''),
    ...unshown('country', 'region.country_code'),
    ...sameNames('picture', '', 'logo_uri'),
  ],
);

/** Training institutions: Put Institution of the training area. */
export const institutions: Entity = {
  ...institutionContract,
  titles: { en: 'Institutions', id: 'Lembaga pelatihan' },
  description: 'Training institutions.',
  parent: null,
  readBack: READ_BACK,
  statusField: null,
  lastDay: null,
  columns: COLUMNS,
  assumedRequired: ['region_id'],
  mapVersion: 3,
  repeatable: true,
  application: false,
  map: (row, context) => mapRow(institutions, row, context, body),
};
