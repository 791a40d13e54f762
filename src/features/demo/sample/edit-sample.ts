import type { ClientBase } from 'pg';

/** One edit of the sample, as the next sync must find it. */
export interface SampleEdit {
  readonly entity: 'companies' | 'vacancies';
  readonly key: string;
  readonly action: 'new' | 'changed' | 'vanished';
  readonly sentence: string;
}

interface Vacancy {
  readonly id: string;
  readonly judul: string;
  readonly perusahaan_id: string;
}

/**
 * Does a morning's work in the sample: one company and two vacancies change, one vacancy is added, one deleted
 * for good. Takes the published vacancies with the lowest numbers, which are valid. A second call does the same
 * to the vacancies of that time.
 */
export async function editSample(client: ClientBase): Promise<SampleEdit[]> {
  const { rows } = await client.query<Vacancy>(
    `select id::text, judul, perusahaan_id::text from lowongan
     where status = 'TAYANG' and dihapus_pada is null and batas_lamaran >= current_date + 2
     order by lowongan.id limit 4`,
  );
  const [gone, paid, extended, model] = rows;
  if (!gone || !paid || !extended || !model)
    throw new Error('the sample has too few published vacancies left');
  return [
    await deleteVacancy(client, gone),
    await raisePay(client, paid),
    await extend(client, extended),
    await addVacancy(client, model),
    await moveCompany(client, model),
  ];
}

async function deleteVacancy(client: ClientBase, { id, judul }: Vacancy): Promise<SampleEdit> {
  await client.query('delete from lowongan where id = $1', [id]);
  return vacancy(id, 'vanished', `Vacancy ${id} “${judul}” was deleted.`);
}

async function raisePay(client: ClientBase, { id, judul }: Vacancy): Promise<SampleEdit> {
  await client.query(
    `update lowongan set gaji_min = coalesce(gaji_min, 4000000) + 250000, gaji_dirahasiakan = false,
       gaji_maks = greatest(gaji_maks, coalesce(gaji_min, 4000000)) + 500000, diubah_pada = now()
     where id = $1`,
    [id],
  );
  return vacancy(id, 'changed', `Vacancy ${id} “${judul}” pays more.`);
}

async function extend(client: ClientBase, { id, judul }: Vacancy): Promise<SampleEdit> {
  await client.query(
    `update lowongan set batas_lamaran = batas_lamaran + interval '14 days', diubah_pada = now() where id = $1`,
    [id],
  );
  return vacancy(id, 'changed', `Vacancy ${id} “${judul}” stays open two weeks longer.`);
}

async function addVacancy(client: ClientBase, model: Vacancy): Promise<SampleEdit> {
  const { rows } = await client.query<{ id: string }>(
    `insert into lowongan (perusahaan_id, nomor, judul, uraian_html, syarat_html, jumlah_posisi, fungsi_kode,
       jenis, pendidikan_min, tautan_lamaran, batas_lamaran, status, dibuat_pada, diubah_pada)
     select perusahaan_id, 'LK-BARU-' || (select max(id) + 1 from lowongan), judul || ' (Cabang Baru)',
       '<p>Kami membuka cabang &amp; mencari rekan baru.</p>', syarat_html, '2', fungsi_kode,
       'KONTRAK', pendidikan_min, tautan_lamaran, batas_lamaran, 'TAYANG', now(), now()
     from lowongan where id = $1
     returning id::text`,
    [model.id],
  );
  const id = rows[0]?.id ?? '';
  return vacancy(id, 'new', `Vacancy ${id} “${model.judul} (Cabang Baru)” was published.`);
}

async function moveCompany(client: ClientBase, { id, perusahaan_id: company }: Vacancy): Promise<SampleEdit> {
  const address = `Jl. Pembangunan No. ${String(Number(id) % 997)}`;
  const { rows } = await client.query<{ name: string }>(
    `update perusahaan set alamat = $2, diubah_pada = now()
     where id = $1 returning bentuk || ' ' || nama_badan as name`,
    [company, address],
  );
  const sentence = `Company “${rows[0]?.name ?? company}” moved to ${address}.`;
  return { entity: 'companies', key: company, action: 'changed', sentence };
}

function vacancy(key: string, action: SampleEdit['action'], sentence: string): SampleEdit {
  return { entity: 'vacancies', key, action, sentence };
}
