import { INDUSTRIES, type Industry, NAME_HEADS, NAME_TAILS, type Place, PLACES, STREETS } from './data.js';
import { type CompanyRow, type ContactRow, moment } from './sample-rows.js';

/** A company, with the data for its vacancies. */
export interface SampleCompany {
  readonly row: CompanyRow;
  readonly contacts: readonly Omit<ContactRow, 'id'>[];
  readonly industry: Industry;
  /** Part of its addresses on the web. */
  readonly slug: string;
}

/** Makes `count` companies with different names, all valid. */
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

/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** Whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True with this probability (0 to 1). */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items, in the order of the list. */
  sample<Item>(items: readonly Item[], count: number): Item[];
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Text of the form of a version 4 UUID. */
  uuid(): string;
  /** That many decimal digits, the first not 0. */
  digits(count: number): string;
}

/** A small generator (mulberry32): good enough to make records look different, not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[integer(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const shuffle = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, order: next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  const hex = (length: number) => Array.from({ length }, () => integer(0, 15).toString(16)).join('');
  return {
    integer,
    chance: (probability) => next() < probability,
    pick,
    sample: (items, count) => {
      const chosen = new Set(shuffle(items).slice(0, count));
      return items.filter((item) => chosen.has(item));
    },
    shuffle,
    uuid: () => [hex(8), hex(4), `4${hex(3)}`, `${pick(['8', '9', 'a', 'b'])}${hex(3)}`, hex(12)].join('-'),
    digits: (count) =>
      String(integer(1, 9)) + Array.from({ length: count - 1 }, () => integer(0, 9)).join(''),
  };
}
