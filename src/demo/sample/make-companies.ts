import { INDUSTRIES, NAME_HEADS, NAME_TAILS, type Industry } from './data/industries.js';
import { PLACES, STREETS, type Place } from './data/places.js';
import type { Random } from './random.js';
import { moment } from './sample-dates.js';
import type { CompanyRow, ContactRow } from './sample-rows.js';

/** A company, with the data for its vacancies. */
export interface SampleCompany {
  readonly row: CompanyRow;
  readonly contacts: readonly Omit<ContactRow, 'id'>[];
  readonly industry: Industry;
  /** Part of its addresses on the web. */
  readonly slug: string;
}

/** Makes `count` companies with different names, all valid. Pure but for `random`. */
export function makeCompanies(random: Random, count: number, today: string): SampleCompany[] {
  const names = random.shuffle(
    INDUSTRIES.flatMap((industry) =>
      industry.nameWords.flatMap((word) => NAME_HEADS.map((head) => ({ industry, base: `${head} ${word}` }))),
    ),
  );
  if (names.length < count) throw new Error(`there are only ${String(names.length)} company names`);
  return names
    .slice(0, count)
    .map(({ industry, base }) => makeCompany(random, industry, `${base} ${random.pick(NAME_TAILS)}`, today));
}

function makeCompany(random: Random, industry: Industry, name: string, today: string): SampleCompany {
  const place = random.pick(PLACES);
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const id = random.uuid();
  const located = random.chance(0.7);
  const created = random.integer(200, 1500);
  const row: CompanyRow = {
    id,
    bentuk: random.chance(0.75) ? 'PT' : 'CV',
    nama_badan: name,
    nib: random.digits(13),
    bidang_kode: industry.code,
    kota_kode: place.code,
    alamat: address(random),
    kode_pos: place.postal + String(random.integer(10, 99)),
    situs_web: random.chance(0.6) ? `https://${slug}.example.co.id` : null,
    profil_html: profile(random, industry, name, place),
    lintang: located ? near(random, place.latitude) : null,
    bujur: located ? near(random, place.longitude) : null,
    logo: random.chance(0.5) ? `logo/${slug}.png` : null,
    sampul: random.chance(0.2) ? `sampul/${slug}.jpg` : null,
    dibuat_pada: moment(today, -created),
    diubah_pada: moment(today, -random.integer(1, created), '16:40:00'),
    dihapus_pada: null,
  };
  return { row, contacts: makeContacts(random, id, slug, place), industry, slug };
}

/** Street and number. */
export function address(random: Random): string {
  const number = `No. ${String(random.integer(1, 220))}`;
  return random.chance(0.3)
    ? `${random.pick(STREETS)} ${number}, RT ${random.digits(1).padStart(3, '0')}/RW 0${random.digits(2)}`
    : `${random.pick(STREETS)} ${number}`;
}

/** A number from a range that is not in use. */
export function telephone(random: Random, place: Place): string {
  return `${place.dialling}-555${random.digits(4)}`;
}

function near(random: Random, degrees: number): number {
  return Number((degrees + random.integer(-40_000, 40_000) / 1e6).toFixed(6));
}

function makeContacts(random: Random, company: string, slug: string, place: Place): Omit<ContactRow, 'id'>[] {
  const main = {
    perusahaan_id: company,
    nama: 'Bagian Personalia',
    telepon: telephone(random, place),
    surel: `hrd@${slug}.example.co.id`,
    utama: true,
  };
  if (!random.chance(0.25)) return [main];
  return [
    main,
    {
      ...main,
      nama: 'Kantor',
      telepon: telephone(random, place),
      surel: `info@${slug}.example.co.id`,
      utama: false,
    },
  ];
}

function profile(random: Random, industry: Industry, name: string, place: Place): string {
  const year = String(random.integer(1975, 2021));
  const staff = String(random.integer(2, 90) * 10);
  return [
    `<p><strong>${name}</strong> bergerak di bidang ${industry.field} dan berdiri sejak ${year}.</p>`,
    `<p>Dari ${place.name} kami bekerja bersama ${staff} karyawan.<br>Pelamar tidak dipungut biaya.</p>`,
  ].join('\n');
}
