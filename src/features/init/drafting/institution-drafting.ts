import * as draft from './drafting.js';

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
export const INSTITUTION_DRAFTING: draft.Drafting = {
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
