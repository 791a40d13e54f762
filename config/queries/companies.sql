-- Companies: one row for each employer that the platform should show.
--
-- This example fits the sample database of `placement-sync demo`. Use your own tables instead: any single SELECT is
-- possible (joins, CTEs, unions, views), if it names its columns as docs/reference/columns.md lists them. You may leave
-- out columns that you do not have. A null is not sent.
--
-- This query has no row_version, so the worker compares whole rows (by md5, computed in this database). Return one
-- only if it changes with *every* change of the row, also in the joined tables. perusahaan.diubah_pada does not: it
-- stays the same when a person edits kontak_perusahaan.

select
  p.id                              as key,
  p.bentuk || ' ' || p.nama_badan   as name,           -- null when the name is null: the record is invalid
  p.kota_kode                       as region_id,      -- code of the Ministry of Home Affairs; see lookups
  p.kode_pos                        as postal_code,
  p.alamat                          as address,
  kontak.telepon                    as phone,
  kontak.surel                      as email,
  p.nib                             as license_number,
  p.bidang_kode                     as industry,       -- the vendor's own code; see lookups
  p.profil_html                     as about,          -- HTML; name it in plainText
  p.situs_web                       as website,
  p.lintang                         as latitude,
  p.bujur                           as longitude,
  'https://media.example.co.id/' || p.logo    as logo_uri,    -- a path here, an address on the platform
  'https://media.example.co.id/' || p.sampul  as cover_uri
from perusahaan p
-- One of several contacts. Without the order, Postgres may return another one tomorrow, and the company would be sent
-- again although nothing changed.
left join lateral (
  select k.telepon, k.surel
  from kontak_perusahaan k
  where k.perusahaan_id = p.id
  order by k.utama desc, k.id
  limit 1
) kontak on true
where p.dihapus_pada is null
