import type { Random } from './random.js';
import { moment } from './sample-dates.js';
import type { InstitutionRow, TrainingRow } from './sample-rows.js';

const SUBJECTS = [
  'Barista',
  'Menjahit Busana',
  'Las Listrik',
  'Servis Sepeda Motor',
  'Tata Boga',
  'Instalasi Listrik',
  'Desain Grafis',
  'Administrasi Perkantoran',
  'Operator Forklift',
  'Tata Rias',
  'Pemrograman Web',
  'Bahasa Jepang',
] as const;
const LEVELS = ['D', 'D', 'D', 'L', 'M'] as const;
const FEES = [0, 150_000, 250_000, 500_000, 1_250_000] as const;

/** Numbers of classes begin here, so that they look different from other numbers. */
const FIRST_CLASS = 501;

/**
 * Makes `count` classes of these institutions, one in twelve without an institution; all are valid.
 * Pure but for `random`.
 */
export function makeTrainings(
  random: Random,
  count: number,
  institutions: readonly InstitutionRow[],
  today: string,
): TrainingRow[] {
  return Array.from({ length: count }, (_, index) => {
    const institution = random.pick(institutions);
    const start = random.integer(20, 90);
    const online = random.chance(0.3);
    const subject = random.pick(SUBJECTS);
    return {
      nomor: FIRST_CLASS + index,
      lembaga_kode: index % 12 === 0 ? null : institution.kode,
      nama: `Pelatihan ${subject}`,
      uraian_html: `<p>Pelatihan <b>${subject}</b> untuk pencari kerja &amp; pekerja.</p>`,
      daring: online,
      kota_kode: online ? null : institution.kota_kode,
      tempat: online ? null : institution.jalan,
      tingkat: random.pick(LEVELS),
      biaya: random.pick(FEES),
      kursi: String(random.integer(8, 40)),
      bersertifikat: random.chance(0.8),
      sertifikat_bnsp: random.chance(0.3),
      tutup_daftar: moment(today, start - 7, '23:59:59').slice(0, 10),
      mulai: moment(today, start).slice(0, 10),
      selesai: moment(today, start + random.integer(2, 30)).slice(0, 10),
      gambar: random.chance(0.5) ? `kelas/${FIRST_CLASS + index}.jpg` : null,
    };
  });
}
