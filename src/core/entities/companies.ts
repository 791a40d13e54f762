import { companyContract } from '../contract/company.js';
import type { Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames, unshown } from './read-back.js';
import { readRegion, type RowReader } from './row-reader.js';
import { column, keyColumns, REGION_COLUMNS } from './columns.js';
import { coordinate, webAddress } from './values.js';

const COLUMNS = [
  ...keyColumns('company'),
  column('name', 'Name of the company.', { required: true }),
  ...REGION_COLUMNS,
  column('postal_code', 'Postal code, as text.'),
  column('address', 'Street address.'),
  column('phone', 'Telephone number.'),
  column('email', 'E-mail address.'),
  column('license_number', 'Business licence number.'),
  column('industry', 'The platform’s industry id (UUID), or a code with a lookup.', { lookup: true }),
  column('about', 'Text about the company.'),
  column('website', 'Address of the website, with http:// or https://.'),
  column('latitude', 'Decimal degrees, −90 to 90.'),
  column('longitude', 'Decimal degrees, −180 to 180.'),
  column('logo_uri', 'Address of the logo picture, with http:// or https://.'),
  column('cover_uri', 'Address of the cover picture, with http:// or https://.'),
];

function body(read: RowReader) {
  return {
    region: readRegion(read),
    name: read.text('name'),
    postal_code: read.text('postal_code'),
    address: read.text('address'),
    phone: read.text('phone'),
    email: read.text('email'),
    license_number: read.text('license_number'),
    industry: read.id('industry'),
    about: read.text('about'),
    website: read.value('website', webAddress),
    latitude: read.value('latitude', (text) => coordinate(text, 90)),
    longitude: read.value('longitude', (text) => coordinate(text, 180)),
    logo_uri: read.value('logo_uri', webAddress),
    cover_uri: read.value('cover_uri', webAddress),
  };
}

const READ_BACK = readBackOf(
  companyContract,
  { id: 'employer.id', reference: 'employer.reference', clientIds: ['employer.client_id'] },
  [
    ...sameNames('text', 'employer.', 'name', 'postal_code', 'address', 'phone', 'email'),
    ...regionFields('employer.'),
    ...unshown('country', 'region.country_code'),
    ...sameNames('text', '', 'license_number', 'about', 'website'),
    { sent: 'industry', read: 'industry.id', rule: 'uuid' },
    ...sameNames('degrees', '', 'latitude', 'longitude'),
    ...sameNames('picture', '', 'logo_uri', 'cover_uri'),
  ],
);

/** Employers: Put Company of the job-placement area. */
export const companies: Entity = {
  ...companyContract,
  titles: { en: 'Companies', id: 'Perusahaan' },
  description: 'Employers.',
  parent: null,
  readBack: READ_BACK,
  statusField: null,
  lastDay: null,
  columns: COLUMNS,
  assumedRequired: ['region_id'],
  mapVersion: 3,
  repeatable: true,
  application: false,
  map: (row, context) => mapRow(companies, row, context, body),
};
