/** A kind of work by the vendor's code, with what its vacancies say. */
export interface WorkFunction {
  readonly code: string;
  readonly name: string;
  readonly titles: readonly string[];
  readonly duties: readonly string[];
  /** Codes of `SKILLS`. */
  readonly skills: readonly string[];
  readonly education: readonly string[];
  /** Usual monthly pay in million rupiah. */
  readonly pay: readonly [number, number];
}

const work = (
  code: string,
  name: string,
  titles: readonly string[],
  duties: readonly string[],
  skills: readonly string[],
  education: readonly string[],
  pay: readonly [number, number],
): WorkFunction => ({ code, name, titles, duties, skills, education, pay });

/** Kinds of work that config/reference/sample-job-functions.csv maps. */
export const WORK_FUNCTIONS: readonly WorkFunction[] = [
  work(
    'F01',
    'Keuangan & akuntansi',
    ['Staf Akuntansi', 'Staf Pajak', 'Kasir', 'Supervisor Keuangan'],
    [
      'Mencatat transaksi harian',
      'Menyusun laporan bulanan',
      'Menyiapkan faktur &amp; dokumen pajak',
      'Rekonsiliasi bank',
    ],
    ['microsoft-excel', 'akuntansi', 'perpajakan', 'ketelitian'],
    ['SMK', 'D3', 'S1'],
    [4, 9],
  ),
  work(
    'F02',
    'Personalia',
    ['Staf HRD', 'Rekruter', 'Staf Penggajian'],
    ['Menjalankan rekrutmen', 'Mengelola absensi &amp; cuti', 'Menghitung gaji bulanan'],
    ['rekrutmen', 'penggajian', 'komunikasi', 'microsoft-excel'],
    ['D3', 'S1'],
    [4, 9],
  ),
  work(
    'F03',
    'Umum & administrasi',
    ['Staf Administrasi', 'Resepsionis', 'Sekretaris'],
    ['Mengarsip dokumen', 'Menerima tamu &amp; telepon', 'Membuat surat keluar'],
    ['administrasi', 'microsoft-excel', 'komunikasi'],
    ['SMA', 'SMK', 'D3'],
    [3, 6],
  ),
  work(
    'F04',
    'Teknologi informasi',
    ['Backend Developer', 'Frontend Developer', 'Analis Sistem', 'QA Engineer'],
    [
      'Merancang &amp; menulis kode',
      'Meninjau kode rekan',
      'Menulis pengujian otomatis',
      'Memelihara layanan',
    ],
    ['sql', 'javascript', 'git', 'linux', 'bahasa-inggris'],
    ['D3', 'S1'],
    [7, 20],
  ),
  work(
    'F05',
    'Produksi',
    ['Operator Produksi', 'Operator Mesin CNC', 'Quality Control', 'Kepala Regu Produksi'],
    [
      'Menjalankan mesin sesuai prosedur',
      'Memeriksa mutu hasil',
      'Menjaga kebersihan &amp; keselamatan kerja',
    ],
    ['k3', 'operator-mesin', 'ketelitian', 'kerja-sama-tim'],
    ['SMA', 'SMK'],
    [3, 6],
  ),
  work(
    'F06',
    'Perawatan mesin',
    ['Teknisi Listrik', 'Teknisi Mesin', 'Mekanik Alat Berat'],
    ['Perawatan berkala', 'Memperbaiki kerusakan', 'Mencatat suku cadang'],
    ['kelistrikan', 'mekanik', 'k3', 'membaca-gambar-teknik'],
    ['SMK', 'D3'],
    [4, 8],
  ),
  work(
    'F07',
    'Gudang & pengiriman',
    ['Staf Gudang', 'Pengemudi', 'Admin Logistik', 'Checker'],
    ['Menerima &amp; mengeluarkan barang', 'Menghitung stok', 'Menyiapkan surat jalan'],
    ['pergudangan', 'sim-b1', 'microsoft-excel', 'ketelitian'],
    ['SMP', 'SMA', 'SMK'],
    [3, 5],
  ),
  work(
    'F08',
    'Operasional bank',
    ['Teller', 'Analis Kredit', 'Account Officer'],
    ['Melayani nasabah', 'Memeriksa kelayakan kredit', 'Menjaga portofolio'],
    ['analisis-kredit', 'pelayanan-pelanggan', 'microsoft-excel'],
    ['D3', 'S1'],
    [5, 10],
  ),
  work(
    'F09',
    'Penjualan',
    ['Sales Executive', 'Pramuniaga', 'Kepala Toko', 'Sales Canvasser'],
    ['Menawarkan produk', 'Mencapai target bulanan', 'Menjaga hubungan dengan pelanggan'],
    ['penjualan', 'negosiasi', 'komunikasi', 'sim-c'],
    ['SMA', 'SMK', 'D3'],
    [3, 8],
  ),
  work(
    'F10',
    'Teknik',
    ['Pelaksana Lapangan', 'Surveyor', 'Drafter', 'Estimator'],
    ['Mengawasi pekerjaan di lapangan', 'Menghitung volume &amp; biaya', 'Membuat gambar kerja'],
    ['autocad', 'membaca-gambar-teknik', 'k3'],
    ['SMK', 'D3', 'S1'],
    [5, 11],
  ),
  work(
    'F11',
    'Pengajaran',
    ['Guru Bahasa Inggris', 'Instruktur Komputer', 'Tutor Matematika'],
    ['Menyiapkan materi', 'Mengajar kelas', 'Menilai kemajuan siswa'],
    ['mengajar', 'bahasa-inggris', 'komunikasi'],
    ['S1'],
    [3, 7],
  ),
  work(
    'F12',
    'Dapur',
    ['Juru Masak', 'Asisten Juru Masak', 'Baker'],
    ['Menyiapkan bahan', 'Memasak sesuai resep', 'Menjaga kebersihan dapur'],
    ['memasak', 'kebersihan-pangan', 'kerja-sama-tim'],
    ['SMP', 'SMA', 'SMK'],
    [3, 6],
  ),
  work(
    'F13',
    'Tenaga kesehatan',
    ['Perawat', 'Asisten Apoteker', 'Analis Laboratorium'],
    ['Melayani pasien', 'Mencatat rekam medis', 'Menyiapkan obat &amp; alat'],
    ['keperawatan', 'farmasi', 'ketelitian'],
    ['D3', 'S1'],
    [4, 9],
  ),
  work(
    'F14',
    'Administrator TI',
    ['Administrator Jaringan', 'IT Support', 'Administrator Basis Data'],
    ['Menjaga jaringan &amp; peladen', 'Membantu pengguna', 'Membuat cadangan data'],
    ['linux', 'jaringan', 'sql'],
    ['SMK', 'D3', 'S1'],
    [5, 12],
  ),
  work(
    'F15',
    'Pelayanan restoran',
    ['Pramusaji', 'Barista', 'Kapten Restoran'],
    ['Melayani tamu', 'Menyajikan minuman &amp; makanan', 'Menerima pembayaran'],
    ['pelayanan-pelanggan', 'komunikasi', 'bahasa-inggris'],
    ['SMA', 'SMK'],
    [3, 5],
  ),
  work(
    'F16',
    'Layanan pelanggan',
    ['Customer Service', 'Agen Call Center'],
    ['Menjawab pertanyaan pelanggan', 'Mencatat keluhan', 'Menindaklanjuti penyelesaian'],
    ['pelayanan-pelanggan', 'komunikasi', 'microsoft-excel'],
    ['SMA', 'D3'],
    [3, 6],
  ),
];

/** A new function that no lookup has yet. */
export const UNMAPPED_FUNCTION = { code: 'F99', name: 'Keberlanjutan' } as const;

/** The vendor's skill codes are kebab-case; the query turns them into what the platform documents. */
export const SKILLS: readonly string[] = [...new Set(WORK_FUNCTIONS.flatMap((each) => each.skills))].sort();

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

/** A city of the sample, by the code of the Ministry of Home Affairs. */
export interface Place {
  readonly code: number;
  readonly name: string;
  readonly province: string;
  /** Decimal degrees of about the middle. */
  readonly latitude: number;
  readonly longitude: number;
  /** First three digits of its postal codes. */
  readonly postal: string;
  /** Area code of its telephone numbers. */
  readonly dialling: string;
}

const place = (
  code: number,
  name: string,
  province: string,
  latitude: number,
  longitude: number,
  postal: string,
  dialling: string,
): Place => ({ code, name, province, latitude, longitude, postal, dialling });

/** Cities that config/reference/cities.csv knows. */
export const PLACES: readonly Place[] = [
  place(1371, 'Kota Padang', 'Sumatera Barat', -0.947, 100.417, '251', '0751'),
  place(1671, 'Kota Palembang', 'Sumatera Selatan', -2.976, 104.775, '301', '0711'),
  place(1872, 'Kota Metro', 'Lampung', -5.113, 105.307, '341', '0725'),
  place(2172, 'Kota Tanjungpinang', 'Kepulauan Riau', 0.919, 104.446, '291', '0771'),
  place(3171, 'Jakarta Pusat', 'DKI Jakarta', -6.181, 106.835, '103', '021'),
  place(3173, 'Jakarta Barat', 'DKI Jakarta', -6.168, 106.759, '114', '021'),
  place(3174, 'Jakarta Selatan', 'DKI Jakarta', -6.266, 106.813, '121', '021'),
  place(3175, 'Jakarta Timur', 'DKI Jakarta', -6.225, 106.9, '134', '021'),
  place(3201, 'Kab. Bogor', 'Jawa Barat', -6.595, 106.816, '169', '0251'),
  place(3204, 'Kab. Bandung', 'Jawa Barat', -7.025, 107.528, '403', '022'),
  place(3215, 'Kab. Karawang', 'Jawa Barat', -6.305, 107.305, '413', '0267'),
  place(3216, 'Kab. Bekasi', 'Jawa Barat', -6.366, 107.172, '175', '021'),
  place(3276, 'Kota Depok', 'Jawa Barat', -6.402, 106.794, '164', '021'),
  place(3404, 'Kab. Sleman', 'DI Yogyakarta', -7.716, 110.355, '555', '0274'),
  place(3507, 'Kab. Malang', 'Jawa Timur', -8.13, 112.573, '651', '0341'),
  place(3671, 'Kota Tangerang', 'Banten', -6.178, 106.63, '151', '021'),
  place(5103, 'Kab. Badung', 'Bali', -8.58, 115.177, '803', '0361'),
  place(5171, 'Kota Denpasar', 'Bali', -8.65, 115.217, '801', '0361'),
  place(6371, 'Kota Banjarmasin', 'Kalimantan Selatan', -3.317, 114.59, '701', '0511'),
  place(7171, 'Kota Manado', 'Sulawesi Utara', 1.475, 124.842, '951', '0431'),
];

/** A city that the lookup lacks: records in it stay invalid until you add its code. */
export const UNMAPPED_PLACE: Place = place(9471, 'Kota Jayapura', 'Papua', -2.533, 140.717, '991', '0967');

export const STREETS = [
  'Jl. Jenderal Sudirman',
  'Jl. Gatot Subroto',
  'Jl. Diponegoro',
  'Jl. Ahmad Yani',
  'Jl. Pahlawan',
  'Jl. Merdeka',
  'Jl. Imam Bonjol',
  'Jl. Veteran',
  'Jl. Raya Industri',
  'Jl. Kartini',
  'Jl. Pemuda',
  'Jl. Hasanuddin',
  'Kawasan Niaga Sentosa Blok C',
  'Ruko Permata Indah Blok B',
] as const;
