/** How `init` finds an entity's records in the database of a partner. Words stand in lower case, parted by commas. */
export interface Drafting {
  /** Of its table in a drafted query. */
  readonly alias: string;
  /** What tables of it are called. `sure`: hardly anything else is; `maybe`: other things are, too. */
  readonly tables: { readonly sure: string; readonly maybe: string };
  /** Words that its columns may begin with, beside those of its table. */
  readonly prefixes?: string;
  /** A column with one of these words is about the parent: `company_website`. */
  readonly parentWords?: string;
  /** Columns that a draft may fill. `row_version` is none: without it the worker misses nothing. */
  readonly targets: readonly Target[];
  /** How much a column, by its name in the contract, says that a table is of this entity. */
  readonly telling: Readonly<Record<string, number>>;
  /** Columns whose absence a person should know of. */
  readonly wanted: readonly string[];
  /** What a record takes from its parent when it has none of its own. */
  readonly fromParent: readonly string[];
}

export type TargetKind = 'text' | 'code' | 'number' | 'date' | 'flag' | 'url' | 'degrees' | 'list' | 'person';

/** A column of the contract, with what partners call theirs. */
export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /**
   * Names that hardly mean anything else, then those that may: parted by blanks, their words joined by `_`; each may be a
   * regular expression.
   */
  readonly sure: string;
  readonly maybe: string;
}

type Words = Omit<Target, 'name'>;

const of =
  (kind: TargetKind) =>
  (sure: string, maybe = ''): Words => ({ kind, sure, maybe });

export const text = of('text');
export const code = of('code');
export const number = of('number');
export const date = of('date');
export const flag = of('flag');
export const url = of('url');
export const degrees = of('degrees');
export const list = of('list');
export const person = of('person');

export function targets(byName: Readonly<Record<string, Words>>): readonly Target[] {
  return Object.entries(byName).map(([name, words]) => ({ ...words, name }));
}

/** Columns that several entities have. */
export const NAME =
  'registered_as registered_name name nama nm nama_resmi legal_name nama_badan nama_usaha official_name nama_perusahaan company_name registered_name';
const REGION = `city kota kabupaten kab kabkota kab_kota kotum kota_kab kota_kabupaten kabupaten_kota regency municipality town kecamatan_kota
  town_text township township work_city kota_penempatan kota_kerja city_name nama_kota`;
const REGION_MAYBE = `location lokasi wilayah region area place locality domisili penempatan lokasi_kerja work_location job_location district dati2
  tempat tempat_kerja daerah venue lokasi_penempatan tempat_penempatan administrative_area kabkot kecamatan address alamat`;
export const COUNTRY = {
  name: 'region_country_code',
  ...code('country country_iso country_code negara iso_country nation country_iso2'),
};
export const ADDRESS = {
  name: 'address',
  ...text(
    'address alamat street street1 jalan addr alamat_lengkap full_address street_address address_line alamat_kantor office_address alamat_perusahaan head_office jl street_line address1 line1',
    'location_text addressline alamat_surat mailing_address lokasi_detail venue venue_address tempat place',
  ),
};
export const PHONE = person(
  'phone telephone telepon telpon telp tlp tel phone_number nomor_telepon no_telepon no_telp office_phone contact_phone telepon_kantor phone_no',
  'mobile hp no_hp handphone mobile_phone whatsapp',
);
export const EMAIL = person(
  'email e_mail surel email_address alamat_email contact_email office_email email_perusahaan',
  'mail mailbox',
);
export const LOGO = url(
  'logo logo_url logo_uri logo_path logo_file logo_image company_logo logo_link',
  'image image_url icon gambar thumbnail picture photo_url',
);
export const COVER = url(
  'cover cover_url cover_uri cover_image cover_path banner banner_url header_image sampul hero_image',
  'image image_url thumbnail thumbnail_url gambar poster picture foto',
);
export const CITY = { name: 'region_id', ...code(REGION, REGION_MAYBE) };
export const INDUSTRY = code(
  'industry industri sector sektor bidang_usaha line_of_business business_field kbli klu naic nace lapangan_usaha industry_sector business_sector business_line sic',
  'trade line_of_trade bidang branche category kategori business_type jenis_usaha field kategori_usaha',
);

/** Words that names of columns are made of, as parts of regular expressions: words in the singular. */
export const PAY =
  '(?:salary|sal|gaji|pay|wage|upah|remuneration|compensation|comp|income|honor|honorarium|stipend|penghasilan|rate|range_gaji|bayaran)';
export const LOW = '(?:min|from|low|lower|start|minimum|minimal|dari|bawah|terendah|awal|mulai|floor|bottom)';
export const HIGH =
  '(?:max|to|high|upper|end|maximum|maksimum|maksimal|mak|sampai|ata|tertinggi|akhir|upto|up_to|hingga|ceiling|top|until)';
export const SIGN_UP =
  '(?:registration|register|enrol|enrolment|enroll|enrollment|sign_?up|apply|application|booking|daftar|pendaftaran|reg|admission|intake)';
export const ENDS =
  '(?:until|end|ends|close|closes|closing|deadline|by|before|tutup|ditutup|akhir|bata|sampai|selesai|to|finish|last_day|cutoff)';
export const YEARS = '(?:year|yr|tahun|thn|th|month|bulan|bln)';

/** Both orders of two words: `salary_min` and `min_salary`. */
export function either(one: string, other: string): string {
  return `${one}(?:_(?:amount|amt|value|nominal|idr|rp))?_${other}(?:_(?:amount|amt|value|nominal|idr|rp))? ${other}_${one}(?:_(?:amount|amt|value|nominal|idr|rp))?`;
}
