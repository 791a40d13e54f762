/** A line of business by the vendor's code, with words for company names and profiles. */
export interface Industry {
  readonly code: string;
  readonly name: string;
  readonly nameWords: readonly string[];
  /** Completes "Perusahaan yang bergerak di bidang …". */
  readonly field: string;
  /** Codes of functions that such companies hire for. */
  readonly functions: readonly string[];
}

const OFFICE = ['F01', 'F02', 'F03', 'F16'];

const industry = (
  code: string,
  name: string,
  nameWords: readonly string[],
  field: string,
  functions: readonly string[],
): Industry => ({ code, name, nameWords, field, functions: [...functions, ...OFFICE] });

/** Lines of business that config/reference/sample-industries.csv maps. */
export const INDUSTRIES: readonly Industry[] = [
  industry('A01', 'Otomotif & suku cadang', ['Otomotif', 'Motor', 'Komponen'], 'suku cadang kendaraan', [
    'F05',
    'F06',
    'F07',
  ]),
  industry(
    'B02',
    'Bank & pembiayaan',
    ['Finansial', 'Kapital', 'Pembiayaan'],
    'pembiayaan &amp; jasa keuangan',
    ['F08', 'F09'],
  ),
  industry('C03', 'Bahan bangunan', ['Beton', 'Keramik', 'Baja'], 'bahan bangunan &amp; saniter', [
    'F05',
    'F07',
    'F10',
  ]),
  industry('D04', 'Pendidikan', ['Edukasi', 'Cendekia', 'Pustaka'], 'pendidikan &amp; pelatihan', ['F11']),
  industry(
    'E05',
    'Barang konsumsi',
    ['Konsumindo', 'Sejahtera Food', 'Niaga'],
    'produk kebutuhan sehari-hari',
    ['F05', 'F07', 'F09'],
  ),
  industry('E06', 'Makanan & minuman', ['Pangan', 'Boga', 'Tirta'], 'makanan &amp; minuman olahan', [
    'F05',
    'F07',
    'F12',
  ]),
  industry('F07', 'Kesehatan & farmasi', ['Medika', 'Farma', 'Husada'], 'layanan kesehatan &amp; farmasi', [
    'F13',
    'F09',
  ]),
  industry(
    'G08',
    'Perangkat lunak & telekomunikasi',
    ['Teknologi', 'Digital', 'Solusi'],
    'perangkat lunak &amp; telekomunikasi',
    ['F04', 'F14'],
  ),
  industry('H09', 'Pabrik umum', ['Manufaktur', 'Industri', 'Presisi'], 'manufaktur', ['F05', 'F06', 'F07']),
  industry('I10', 'Tambang & energi', ['Energi', 'Mineral', 'Tambang'], 'pertambangan &amp; energi', [
    'F06',
    'F10',
  ]),
  industry('J11', 'Properti', ['Properti', 'Graha', 'Griya'], 'pengembangan properti', ['F10', 'F09']),
  industry('K12', 'Restoran & kafe', ['Kuliner', 'Rasa', 'Dapur'], 'restoran &amp; jasa boga', [
    'F12',
    'F15',
  ]),
  industry('L13', 'Perdagangan', ['Perdagangan', 'Dagang', 'Distribusi'], 'perdagangan besar &amp; eceran', [
    'F07',
    'F09',
  ]),
  industry('M14', 'Angkutan & gudang', ['Logistik', 'Trans', 'Kargo'], 'angkutan &amp; pergudangan', [
    'F07',
    'F06',
  ]),
];

/** A leftover of the vendor's old catalogue that no lookup maps: its companies stay invalid. */
export const UNMAPPED_INDUSTRY = { code: 'X90', name: 'Lain-lain (katalog lama)' } as const;

export const NAME_HEADS = [
  'Sumber',
  'Cipta',
  'Karya',
  'Mitra',
  'Bintang',
  'Surya',
  'Tunas',
  'Multi',
  'Anugerah',
  'Cakra',
  'Dwi',
  'Prima',
  'Samudra',
  'Nusa',
] as const;

export const NAME_TAILS = [
  'Abadi',
  'Makmur',
  'Sejati',
  'Lestari',
  'Jaya',
  'Utama',
  'Mandiri',
  'Persada',
] as const;
