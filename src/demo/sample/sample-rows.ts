/** Rows of the sample's tables, by column name: each is inserted as it stands. */
export interface CompanyRow {
  id: string;
  bentuk: string;
  nama_badan: string | null;
  nib: string;
  bidang_kode: string;
  kota_kode: number;
  alamat: string;
  kode_pos: string;
  situs_web: string | null;
  profil_html: string;
  lintang: number | null;
  bujur: number | null;
  logo: string | null;
  sampul: string | null;
  dibuat_pada: string;
  diubah_pada: string;
  dihapus_pada: string | null;
}

export interface ContactRow {
  id: number;
  perusahaan_id: string;
  nama: string;
  telepon: string | null;
  surel: string | null;
  utama: boolean;
}

export interface VacancyRow {
  id: number;
  perusahaan_id: string;
  nomor: string;
  judul: string | null;
  uraian_html: string;
  syarat_html: string;
  jumlah_posisi: string;
  fungsi_kode: string;
  jenis: 'TETAP' | 'KONTRAK' | 'PARUH WAKTU' | 'MAGANG' | 'HARIAN';
  kota_kode: number | null;
  jenis_kelamin: 'L' | 'P' | null;
  pendidikan_min: string | null;
  gaji_min: number | null;
  gaji_maks: number | null;
  gaji_dirahasiakan: boolean;
  status_kawin: 'B' | null;
  usia_min: number | null;
  usia_maks: number | null;
  pengalaman_bulan: number | null;
  terbuka_difabel: boolean | null;
  nama_disamarkan: boolean;
  tautan_lamaran: string;
  batas_lamaran: string | null;
  status: 'DRAF' | 'TAYANG' | 'DITUTUP';
  dibuat_pada: string;
  diubah_pada: string;
  dihapus_pada: string | null;
}

export interface VacancySkillRow {
  lowongan_id: number;
  keahlian_id: number;
}

export interface TrainingRow {
  nomor: number;
  lembaga_kode: string | null;
  nama: string | null;
  uraian_html: string;
  daring: boolean;
  kota_kode: number | null;
  tempat: string | null;
  tingkat: string;
  biaya: number;
  kursi: string;
  bersertifikat: boolean;
  sertifikat_bnsp: boolean;
  tutup_daftar: string;
  mulai: string;
  selesai: string;
  gambar: string | null;
}

export interface InstitutionRow {
  kode: string;
  nama: string | null;
  kota_kode: number;
  jalan: string;
  telepon: string | null;
  surel: string | null;
  logo: string | null;
  aktif: boolean;
  diubah_pada: string;
}

const DAY_MS = 86_400_000;

/**
 * Moment `days` after (or before) the day `today` (`YYYY-MM-DD`), at a time of day in western Indonesia, as text
 * with its offset: an early morning there is still the day before in UTC.
 */
export function moment(today: string, days: number, time = '09:15:00'): string {
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return `${day}T${time}+07:00`;
}
