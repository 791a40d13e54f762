import {
  ADDRESS,
  CITY,
  COUNTRY,
  type Drafting,
  EMAIL,
  LOGO,
  NAME,
  PHONE,
  target,
  type Target,
} from './drafting.js';

const TARGETS: readonly Target[] = [
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

/** Institutions in the databases of partners. */
export const INSTITUTION_DRAFTING: Drafting = {
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
