-- Training institutions: one row for each that the training area is to show.
--
-- The key is text here, padded to ten characters by its type; the padding is not part of the key. It is no UUID:
-- the platform's id is derived from it with `ids.namespace`.

select
  i.kode                                    as key,
  i.nama                                    as name,
  i.kota_kode                               as region_id,   -- code of the statistics office; see lookups
  i.jalan                                   as address,
  i.telepon                                 as phone,
  i.surel                                   as email,
  'https://media.example.co.id/' || i.logo  as logo_uri
from lembaga_pelatihan i
where i.aktif
