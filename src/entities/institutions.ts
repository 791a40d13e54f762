import { institutionBody, institutionLinks, institutionRead } from '../contract/institution.js';
import type { Column, Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { regionFields, sameNames, type ReadBack } from './read-back.js';
import { readRegion } from './region.js';
import type { RowReader } from './row-reader.js';
import { webAddress } from './value/web-address.js';

const COLUMNS: readonly Column[] = [
  {
    name: 'key',
    required: true,
    description: 'The partner’s primary key of the institution; never changes.',
  },
  {
    name: 'row_version',
    description: 'Text that changes when the row changes; left out or null: the worker decides for itself.',
  },
  { name: 'name', required: true, description: 'Name of the institution.' },
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
    description: 'The platform’s region id (UUID), or a code with a lookup.',
  },
  {
    name: 'region_country_code',
    field: 'region.country_code',
    lookup: true,
    description: 'Country code of a region abroad; null in the home country.',
  },
  { name: 'address', description: 'Street address.' },
  { name: 'phone', description: 'Telephone number.' },
  { name: 'email', description: 'E-mail address; sent as null when absent.' },
  { name: 'logo_uri', description: 'Address of the logo picture, with http:// or https://.' },
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

const READ_BACK: ReadBack = {
  find: 'findInstitution',
  fields: [
    ...sameNames('text', '', 'name', 'address', 'phone', 'email'),
    ...regionFields(''),
    ...sameNames('picture', '', 'logo_uri'),
  ],
  links: (data) => institutionLinks(institutionRead.parse(data)),
};

/** Training institutions: Put Institution of the training area. */
export const institutions: Entity = {
  name: 'institutions',
  area: 'training',
  parent: null,
  put: 'putInstitution',
  delete: 'deleteInstitution',
  readBack: READ_BACK,
  statusField: null,
  lastDay: null,
  columns: COLUMNS,
  assumedRequired: ['region_id'],
  mapVersion: 1,
  map: (row, context) => mapRow(institutions, row, context, institutionBody, body),
};
