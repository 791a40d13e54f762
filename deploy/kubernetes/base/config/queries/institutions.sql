-- Training institutions: one row for each institution that the training area should show.
--
-- The key is text here. Its type pads it to ten characters; the padding is not part of the key. The key is not a UUID,
-- so the platform id is made from it with `ids.namespace`.

select
  i.kode                                    as key,
  i.nama                                    as name,
  i.kota_kode                               as region_id,   -- code of the Ministry of Home Affairs; see lookups
  i.jalan                                   as address,
  i.telepon                                 as phone,
  i.surel                                   as email,
  'https://media.example.co.id/' || i.logo  as logo_uri
from lembaga_pelatihan i
where i.aktif
