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
