import { PLACES, SKILLS, WORK_FUNCTIONS, type WorkFunction } from './data.js';
import type { Random, SampleCompany } from './make-companies.js';
import { moment, type VacancyRow, type VacancySkillRow } from './sample-rows.js';

export interface SampleVacancy {
  readonly row: VacancyRow;
  readonly skills: readonly VacancySkillRow[];
}

/**
 * Makes one published vacancy of a company, valid, with its last day 5 to 90 days after `today`.
 */
export function makeVacancy(
  random: Random,
  id: number,
  company: SampleCompany,
  today: string,
): SampleVacancy {
  const work = pickWork(random, company);
  const pay = makePay(random, work);
  const ages = random.chance(0.6);
  const youngest = random.integer(18, 25);
  const published = random.integer(1, 60);
  const row: VacancyRow = {
    id,
    perusahaan_id: company.row.id,
    nomor: `LK-${today.slice(0, 4)}-${String(id)}`,
    judul: random.pick(work.titles),
    uraian_html: describe(random, work, company),
    syarat_html: qualify(random, work),
    jumlah_posisi: String(random.chance(0.7) ? random.integer(1, 4) : random.integer(5, 40)),
    fungsi_kode: work.code,
    jenis: random.pick(CONTRACTS),
    kota_kode: random.chance(0.8) ? null : random.pick(PLACES).code,
    jenis_kelamin: random.chance(0.85) ? null : random.pick(['L', 'P']),
    pendidikan_min: random.chance(0.95) ? random.pick(work.education) : null,
    ...pay,
    gaji_dirahasiakan: random.chance(0.15),
    status_kawin: random.chance(0.9) ? null : 'B',
    usia_min: ages ? youngest : null,
    usia_maks: ages ? youngest + random.integer(7, 20) : null,
    pengalaman_bulan: random.chance(0.5) ? random.pick([6, 12, 18, 24, 36, 60]) : null,
    terbuka_difabel: random.chance(0.4) ? null : random.chance(0.3),
    nama_disamarkan: random.chance(0.05),
    tautan_lamaran: `https://karier.example.co.id/${company.slug}/lowongan/${String(id)}?asal=mitra`,
    batas_lamaran: deadline(random, today),
    status: 'TAYANG',
    dibuat_pada: moment(today, -published - 2),
    diubah_pada: moment(today, -random.integer(0, published), '14:05:00'),
    dihapus_pada: null,
  };
  return { row, skills: pickSkills(random, id, work) };
}

function pickWork(random: Random, company: SampleCompany): WorkFunction {
  const code = random.pick(company.industry.functions);
  const work = WORK_FUNCTIONS.find((each) => each.code === code);
  if (!work) throw new Error(`no function ${code}`);
  return work;
}

/** Nearly all are permanent or for a time. */
const CONTRACTS: readonly VacancyRow['jenis'][] = [
  ...(['TETAP', 'TETAP', 'TETAP', 'KONTRAK', 'KONTRAK', 'KONTRAK'] as const),
  ...(['PARUH WAKTU', 'MAGANG', 'HARIAN'] as const),
];

/** Rupiah a month in steps of 50,000; sometimes only one end is known, sometimes none. */
function makePay(random: Random, work: WorkFunction): Pick<VacancyRow, 'gaji_min' | 'gaji_maks'> {
  const [low, high] = work.pay;
  const from = random.integer(low * 20, high * 20 - 10) * 50_000;
  const to = from + random.integer(4, 60) * 50_000;
  const known = random.integer(1, 10);
  return { gaji_min: known <= 8 ? from : null, gaji_maks: known <= 6 ? to : null };
}

/** Some end just after midnight: another day in UTC. */
function deadline(random: Random, today: string): string {
  return moment(today, random.integer(5, 90), random.pick(['23:59:59', '23:59:59', '17:00:00', '00:30:00']));
}

function describe(random: Random, work: WorkFunction, company: SampleCompany): string {
  const duties = random.sample(work.duties, random.integer(2, work.duties.length));
  return [
    `<p>${company.row.bentuk} ${company.row.nama_badan ?? ''} mencari rekan baru di bagian <b>${work.name.replace('&', '&amp;')}</b>.</p>`,
    '<p>Tugas:</p>',
    `<ul>${duties.map((duty) => `<li>${duty}</li>`).join('')}</ul>`,
  ].join('\n');
}

function qualify(random: Random, work: WorkFunction): string {
  const wishes = random.sample(
    [
      'Jujur &amp; bertanggung jawab',
      'Bersedia bekerja dalam <i>shift</i>',
      'Mampu bekerja dalam tim',
      'Domisili di sekitar kantor',
      'Dapat segera bergabung',
    ],
    random.integer(2, 4),
  );
  return `<ol><li>Pendidikan ${work.education.join('/')}</li>${wishes.map((wish) => `<li>${wish}</li>`).join('')}</ol>`;
}

function pickSkills(random: Random, vacancy: number, work: WorkFunction): VacancySkillRow[] {
  const count = random.integer(0, Math.min(4, work.skills.length));
  return random
    .sample(work.skills, count)
    .map((code) => ({ lowongan_id: vacancy, keahlian_id: SKILLS.indexOf(code) + 1 }));
}
