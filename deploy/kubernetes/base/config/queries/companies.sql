-- Companies: one row for each employer that the platform is to show.
--
-- This is the example for the sample database of `placement-sync demo`. Put your own tables in its place: any
-- single SELECT will do (joins, CTEs, unions, views), as long as it names its columns after the contract of
-- companies. Columns that you do not have may be left out; a null is left out of what is sent.
--
-- There is no row_version here: the worker then compares whole rows (by md5, computed in this database). Give one
-- only if it changes with *every* change of the row, the joined tables included. perusahaan.diubah_pada would not
-- do: it stays as it is when somebody edits kontak_perusahaan.

select
  p.id                              as key,
  p.bentuk || ' ' || p.nama_badan   as name,           -- null when the name is null: refused, not invented
  p.kota_kode                       as region_id,      -- code of the statistics office; see lookups
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
  'https://media.example.co.id/' || p.logo    as logo_uri,    -- a path in the table, an address on the platform
  'https://media.example.co.id/' || p.sampul  as cover_uri
from perusahaan p
-- One contact of possibly several. Without the order, Postgres may take another one tomorrow, and the company
-- would be sent again although nothing changed.
left join lateral (
  select k.telepon, k.surel
  from kontak_perusahaan k
  where k.perusahaan_id = p.id
  order by k.utama desc, k.id
  limit 1
) kontak on true
where p.dihapus_pada is null
