import { PLACES } from './data/places.js';
import { address, telephone } from './make-companies.js';
import type { Random } from './random.js';
import { moment } from './sample-dates.js';
import type { InstitutionRow } from './sample-rows.js';

const KINDS = ['LPK', 'LPK', 'LKP', 'BLK Komunitas', 'Balai Latihan'] as const;
const NAMES = [
  'Bina Karya',
  'Tunas Terampil',
  'Cahaya Ilmu',
  'Maju Bersama',
  'Sinar Harapan',
  'Insan Kreatif',
  'Graha Komputer',
  'Bahari',
  'Nusantara Jaya',
  'Wira Usaha',
  'Busana Indah',
  'Otomotif Muda',
] as const;

/**
 * Makes `count` training institutions with codes `LPK-0001`, `LPK-0002`, …, all valid.
 * Pure but for `random`.
 */
export function makeInstitutions(random: Random, count: number, today: string): InstitutionRow[] {
  return Array.from({ length: count }, (_, index) => {
    const place = random.pick(PLACES);
    const code = institutionCode(index + 1);
    return {
      kode: code,
      nama: `${random.pick(KINDS)} ${random.pick(NAMES)} ${place.name.replace('Kota ', '').replace('Kab. ', '')}`,
      kota_kode: place.code,
      jalan: address(random),
      telepon: random.chance(0.85) ? telephone(random, place) : null,
      surel: random.chance(0.7) ? `${code.toLowerCase()}@pelatihan.example.co.id` : null,
      logo: random.chance(0.4) ? `lembaga/${code.toLowerCase()}.png` : null,
      aktif: true,
      diubah_pada: moment(today, -random.integer(1, 400), '10:20:00'),
    };
  });
}

/** `LPK-0007`: two characters shorter than its column, which pads it. */
export function institutionCode(number: number): string {
  return `LPK-${String(number).padStart(4, '0')}`;
}
