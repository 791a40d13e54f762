import { institutionContract } from '../contract/institution.js';
import * as draft from '../../features/init/drafting/drafting.js';
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

const TARGETS = draft.targets({
  name: draft.text(
    `${draft.NAME} nama_lembaga institution_name provider_name nama_balai`,
    'title label display_name short_name',
  ),
  region_id: draft.CITY,
  region_country_code: draft.COUNTRY,
  address: draft.ADDRESS,
  phone: draft.PHONE,
  email: draft.EMAIL,
  logo_uri: draft.LOGO,
});

/** Institutions in the databases of partners. */
const DRAFTING: draft.Drafting = {
  alias: 'i',
  tables: {
    sure: `institution, institusi, training provider, training center, training centre, trainingprovider, lembaga, lpk, blk, bbplk, bbpvp,
      satpel, balai, lkp, school, sekolah, academy, akademi, provider, penyelenggara, institute, course provider, campus, kampus, university, universitas, college`,
    maybe: `organisation, organization, organisasi, organizer, organiser, partner, mitra, organizational unit, instansi, vendor, unit, faculty, fakultas,
      satuan, org, center, centre, pusat, company, perusahaan, publisher, tenant, account, supplier, party`,
  },
  targets: TARGETS,
  telling: { name: 3, address: 1, phone: 1, region_id: 1, logo_uri: 1, email: 0.5 },
  wanted: ['name', 'region_id', 'address'],
  fromParent: [],
};

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
  drafting: DRAFTING,
  map: (row, context) => mapRow(institutions, row, context, body),
};
