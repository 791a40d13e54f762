-- Vacancies: one row for each vacancy that is published now.
--
-- A vacancy that this query no longer returns (closed, deleted, back to draft) has vanished; `onVanished: close` then
-- closes it on the platform. A vacancy whose last day has passed may vanish too: it has expired there by itself.
--
-- Like companies.sql it has no row_version: skills come from a join table, and no timestamp of lowongan changes when
-- a skill is removed.

select
  l.id                              as key,
  l.perusahaan_id                   as company_key,    -- the key of companies.sql
  l.judul                           as title,
  l.uraian_html                     as description,    -- HTML; name it in plainText
  l.syarat_html                     as qualification,  -- HTML; name it in plainText
  l.jumlah_posisi                   as quota,          -- text in this schema: the worker reads numbers from text too
  p.bidang_kode                     as industry,       -- of the company; see lookups
  l.jenis                           as job_type,       -- an enum; see lookups: HARIAN is mapped to `-`, which
                                                       -- means: known, but not sent
  l.fungsi_kode                     as job_function,   -- see lookups
  coalesce(l.kota_kode, p.kota_kode) as region_id,     -- null means: where the company is
  l.jenis_kelamin                   as gender,         -- L or P, null for both; see lookups
  l.pendidikan_min                  as min_education,  -- see lookups
  -- Secret pay is null: the platform would show a 0 as a pay of 0.
  case when not l.gaji_dirahasiakan then l.gaji_min end  as min_salary_amount,
  case when not l.gaji_dirahasiakan then l.gaji_maks end as max_salary_amount,
  l.status_kawin                    as marital,        -- see lookups
  l.usia_min                        as min_age,
  l.usia_maks                       as max_age,
  l.pengalaman_bulan / 12           as min_experience, -- months here, whole years there
  l.terbuka_difabel                 as disability_allowed,
  l.nama_disamarkan                 as confidential,
  -- An aggregate in a fixed order: without it, the order depends on the query plan. Codes are kebab-case here and
  -- snake_case on the platform. No skills give an empty list, not null.
  array(
    select replace(k.kode, '-', '_')
    from lowongan_keahlian lk
    join keahlian k on k.id = lk.keahlian_id
    where lk.lowongan_id = l.id
    order by k.kode
  )                                 as skills,
  l.tautan_lamaran                  as client_url,
  l.batas_lamaran                   as expire_at,      -- a moment; sent as the day in platform.timeZone
  'open'                            as status
from lowongan l
join perusahaan p on p.id = l.perusahaan_id
where l.status = 'TAYANG'                              -- neither drafts nor closed ones
  and l.dihapus_pada is null
  and l.batas_lamaran >= now()
