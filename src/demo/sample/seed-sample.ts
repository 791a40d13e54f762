import type { ClientBase } from 'pg';
import { INDUSTRIES, UNMAPPED_INDUSTRY } from './data/industries.js';
import { PLACES, UNMAPPED_PLACE } from './data/places.js';
import { SKILLS, UNMAPPED_FUNCTION, WORK_FUNCTIONS } from './data/work.js';
import { makeSample, type BrokenRecord, type Sample } from './make-sample.js';
import { SAMPLE_SCHEMA } from './schema.js';

export interface SampleOptions {
  /** Another seed, other records; 1 when absent. */
  readonly seed?: number;
  /** Day (`YYYY-MM-DD`) that deadlines are counted from, so that the sample never ages; today when absent. */
  readonly today?: string;
}

export interface SeededSample {
  /** The records that are wrong on purpose, with the result that the sync must give. */
  readonly broken: readonly BrokenRecord[];
}

/**
 * Makes the tables of the invented HR vendor in the database of `client` and fills them, in one transaction,
 * in less than a second. The database must not have tables of these names.
 */
export async function seedSample(client: ClientBase, options: SampleOptions = {}): Promise<SeededSample> {
  const sample = makeSample(options.seed ?? 1, options.today ?? new Date().toISOString().slice(0, 10));
  await client.query('begin');
  try {
    await client.query(SAMPLE_SCHEMA);
    for (const [table, rows] of tablesOf(sample)) await insertRows(client, table, rows);
    await client.query(
      `select setval(pg_get_serial_sequence('lowongan', 'id'), (select max(id) from lowongan))`,
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  await client.query('analyze');
  return { broken: sample.broken };
}

function tablesOf(sample: Sample): [table: string, rows: readonly object[]][] {
  const contacts = sample.companies.flatMap((company) => company.contacts);
  return [
    [
      'kota',
      [...PLACES, UNMAPPED_PLACE].map(({ code, name, province }) => ({
        kode_bps: code,
        nama: name,
        provinsi: province,
      })),
    ],
    [
      'bidang_usaha',
      [...INDUSTRIES, UNMAPPED_INDUSTRY].map(({ code, name }) => ({ kode: code, nama: name })),
    ],
    [
      'fungsi_kerja',
      [...WORK_FUNCTIONS, UNMAPPED_FUNCTION].map(({ code, name }) => ({ kode: code, nama: name })),
    ],
    [
      'keahlian',
      SKILLS.map((code, index) => ({ id: index + 1, kode: code, nama: code.replaceAll('-', ' ') })),
    ],
    ['perusahaan', sample.companies.map(({ row }) => row)],
    ['kontak_perusahaan', contacts.map((contact, index) => ({ id: index + 1, ...contact }))],
    ['lowongan', sample.vacancies.map(({ row }) => row)],
    ['lowongan_keahlian', sample.vacancies.flatMap(({ skills }) => skills)],
    ['lembaga_pelatihan', sample.institutions],
    ['kelas_pelatihan', sample.trainings],
  ];
}

/** One statement per table: Postgres turns the JSON into rows of the table's own types. */
export async function insertRows(client: ClientBase, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (columns === '') return;
  await client.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
