import { companyContract } from '../contract/company.js';
import { COMPANY_DRAFTING } from './drafting/company-drafting.js';
import type { Column, Entity } from './entity.js';
import { mapRow } from './map-row.js';
import { readBackOf, regionFields, sameNames, unshown } from './read-back.js';
import { readRegion, type RowReader } from './row-reader.js';
import { keyColumns, REGION_COLUMNS } from './columns.js';
import { coordinate, webAddress } from './values.js';

const COLUMNS: readonly Column[] = [
  ...keyColumns('company'),
  { name: 'name', required: true, description: 'Name of the company.' },
  ...REGION_COLUMNS,
  { name: 'postal_code', description: 'Postal code, as text.' },
  { name: 'address', description: 'Street address.' },
  { name: 'phone', description: 'Telephone number.' },
  { name: 'email', description: 'E-mail address.' },
  { name: 'license_number', description: 'Business licence number.' },
  {
    name: 'industry',
    lookup: true,
    description: 'The platform’s industry id (UUID), or a code with a lookup.',
  },
  { name: 'about', description: 'Text about the company.' },
  { name: 'website', description: 'Address of the website, with http:// or https://.' },
  { name: 'latitude', description: 'Decimal degrees, −90 to 90.' },
  { name: 'longitude', description: 'Decimal degrees, −180 to 180.' },
  { name: 'logo_uri', description: 'Address of the logo picture, with http:// or https://.' },
  { name: 'cover_uri', description: 'Address of the cover picture, with http:// or https://.' },
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

const READ_BACK = readBackOf(companyContract, { id: 'employer.id', reference: 'employer.reference' }, [
  ...sameNames('text', 'employer.', 'name', 'postal_code', 'address', 'phone', 'email'),
  ...regionFields('employer.'),
  ...unshown('word', 'region.country_code'),
  ...sameNames('text', '', 'license_number', 'about', 'website'),
  { sent: 'industry', read: 'industry.id', rule: 'uuid' },
  ...sameNames('degrees', '', 'latitude', 'longitude'),
  ...sameNames('picture', '', 'logo_uri', 'cover_uri'),
]);

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
  mapVersion: 2,
  repeatable: true,
  application: false,
  drafting: COMPANY_DRAFTING,
  map: (row, context) => mapRow(companies, row, context, body),
};
