-- Trainings: one row for each class that the training area should show.
--
-- The key is a number, so the platform id is made from it with `ids.namespace`. A class without an institution is sent
-- without one.

select
  k.nomor                                           as key,
  k.lembaga_kode                                    as institution_key,
  k.nama                                            as title,
  k.uraian_html                                     as description,   -- HTML; see plainText
  k.tempat                                          as address,
  k.kota_kode                                       as region_id,     -- code of the Ministry of Home Affairs; see lookups
  case when k.daring then 'online' else 'offline' end as media,
  k.tingkat                                         as difficulty_level,
  k.biaya                                           as price,
  k.kursi                                           as quota,
  k.bersertifikat                                   as certified,
  k.sertifikat_bnsp                                 as bnsp_certified,
  k.tutup_daftar                                    as expired_date,
  k.mulai                                           as start_date,
  k.selesai                                         as finish_date,
  'https://media.example.co.id/' || k.gambar        as cover_uri
from kelas_pelatihan k
