import * as draft from './drafting.js';

const TARGETS = draft.targets({
  name: draft.text(
    draft.NAME,
    '.*_as title label trade_name brand_name display_name nama_dagang nama_singkat short_name',
  ),
  region_id: draft.CITY,
  region_country_code: draft.COUNTRY,
  postal_code: draft.text(
    'postal_code postcode post_code zip zip_code kode_po kode_pos kodepo kodepos postal plz kd_po kd_pos zip_cd',
  ),
  address: draft.ADDRESS,
  phone: draft.PHONE,
  email: draft.EMAIL,
  license_number: draft.text(
    'license_number licence_number nib siup business_license registration_number registration_no reg_no nomor_izin no_izin nomor_induk_berusaha company_registry license licence izin_usaha registry_number no_siup tdp',
    'izin registration permit_no permit_number permit_code permit_ref business_permit company_number',
  ),
  industry: draft.INDUSTRY,
  about: draft.text(
    'about about_us blurb remit profile profil description deskripsi tentang company_profile bio boilerplate profil_perusahaan',
    'desc summary overview keterangan uraian detail info introduction ringkasan note memo remark comment catatan',
  ),
  website: draft.url(
    'website web url site homepage home_page situs situs_web laman web_url website_url company_url www web_site',
    'link tautan',
  ),
  latitude: draft.degrees('latitude lat lintang geo_lat garis_lintang'),
  longitude: draft.degrees('longitude lng lon long bujur geo_lng geo_lon geo_long garis_bujur'),
  logo_uri: draft.LOGO,
  cover_uri: draft.url(
    'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
  ),
});

/** Companies in the databases of partners. */
export const COMPANY_DRAFTING: draft.Drafting = {
  alias: 'c',
  tables: {
    sure: `company, employer, perusahaan, pemberi kerja, badan usaha, firm, corporation, perseroan, dudi,
      iduka, dunia usaha, legal unit, legal entity, public body, principal, hiring organization, hiring organisation, enterprise, entreprise, entrepreneur, korporasi`,
    maybe: `organisation, organization, organisasi, organisme, mitra, partner, business, bisnis, instansi, client, klien, vendor,
      lembaga, agency, badan, usaha, merchant, account, tenant, industri, org, orgs, institution, institusi, pt, party, legal entity, ministry, department, advertiser`,
  },
  targets: TARGETS,
  telling: {
    name: 3,
    address: 1,
    website: 1,
    industry: 1,
    phone: 1,
    email: 0.5,
    region_id: 1,
    license_number: 1,
    about: 0.5,
  },
  wanted: ['name', 'region_id', 'industry', 'address'],
  fromParent: [],
};
