import { target } from './target.js';

/** Columns that several entities have. */
export const NAME =
  'registered_as registered_name name nama nm nama_resmi legal_name nama_badan nama_usaha official_name nama_perusahaan company_name registered_name';
const REGION = `city kota kabupaten kab kabkota kab_kota kotum kota_kab kota_kabupaten kabupaten_kota regency municipality town kecamatan_kota
  town_text township township work_city kota_penempatan kota_kerja city_name nama_kota`;
const REGION_MAYBE = `location lokasi wilayah region area place locality domisili penempatan lokasi_kerja work_location job_location district dati2
  tempat tempat_kerja daerah venue lokasi_penempatan tempat_penempatan administrative_area kabkot kecamatan address alamat`;
export const COUNTRY = target(
  'region_country_code',
  'code',
  'country country_iso country_code negara iso_country nation country_iso2',
);
export const ADDRESS = target(
  'address',
  'text',
  'address alamat street street1 jalan addr alamat_lengkap full_address street_address address_line alamat_kantor office_address alamat_perusahaan head_office jl street_line address1 line1',
  'location_text addressline alamat_surat mailing_address lokasi_detail venue venue_address tempat place',
);
export const PHONE = target(
  'phone',
  'person',
  'phone telephone telepon telpon telp tlp tel phone_number nomor_telepon no_telepon no_telp office_phone contact_phone telepon_kantor phone_no',
  'mobile hp no_hp handphone mobile_phone whatsapp',
);
export const EMAIL = target(
  'email',
  'person',
  'email e_mail surel email_address alamat_email contact_email office_email email_perusahaan',
  'mail mailbox',
);
export const LOGO = target(
  'logo_uri',
  'url',
  'logo logo_url logo_uri logo_path logo_file logo_image company_logo logo_link',
  'image image_url icon gambar thumbnail picture photo_url',
);
export const COVER = target(
  'cover_uri',
  'url',
  'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
  'image image_url thumbnail thumbnail_url gambar poster picture foto',
);
export const CITY = target('region_id', 'code', REGION, REGION_MAYBE);
export const INDUSTRY = target(
  'industry',
  'code',
  'industry industri sector sektor bidang_usaha line_of_business business_field kbli klu naic nace lapangan_usaha industry_sector business_sector business_line sic',
  'trade line_of_trade bidang branche category kategori business_type jenis_usaha field kategori_usaha',
);
