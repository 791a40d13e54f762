import { ADDRESS, CITY, COUNTRY, EMAIL, INDUSTRY, LOGO, NAME, PHONE } from './shared-targets.js';
import { target, type Target } from './target.js';

/** Columns of companies. */
export const COMPANY_TARGETS: readonly Target[] = [
  target(
    'name',
    'text',
    NAME,
    '.*_as title label trade_name brand_name display_name nama_dagang nama_singkat short_name',
  ),
  CITY,
  COUNTRY,
  target(
    'postal_code',
    'text',
    'postal_code postcode post_code zip zip_code kode_po kode_pos kodepo postal plz kd_po',
  ),
  ADDRESS,
  PHONE,
  EMAIL,
  target(
    'license_number',
    'text',
    'license_number licence_number nib siup business_license registration_number registration_no reg_no nomor_izin no_izin nomor_induk_berusaha company_registry license licence izin_usaha registry_number no_siup tdp',
    'izin registration permit_no permit_number permit_code permit_ref business_permit company_number',
  ),
  INDUSTRY,
  target(
    'about',
    'text',
    'about about_us blurb remit profile profil description deskripsi tentang company_profile bio boilerplate profil_perusahaan',
    'summary overview keterangan uraian detail info introduction ringkasan note',
  ),
  target(
    'website',
    'url',
    'website web url site homepage home_page situs situs_web laman web_url website_url company_url www web_site',
    'link tautan',
  ),
  target('latitude', 'degrees', 'latitude lat lintang geo_lat garis_lintang'),
  target('longitude', 'degrees', 'longitude lng lon long bujur geo_lng geo_lon garis_bujur'),
  LOGO,
  target(
    'cover_uri',
    'url',
    'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
  ),
];
