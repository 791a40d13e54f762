-- A few invented records for the rehearsal of ../compose.yaml. Postgres runs this file once, when its volume is new.
create table company (
  id   text primary key,
  name text not null,
  city uuid not null -- the platform's id of a city; codes of your own need a lookup
);

create table vacancy (
  id         text primary key,
  company_id text not null references company,
  title      text not null,
  quota      integer,
  open       boolean not null default true
);

insert into company values
  ('c-1', 'PT Contoh Satu', '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11'),
  ('c-2', 'PT Contoh Dua', '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11');

insert into vacancy values
  ('v-1', 'c-1', 'Juru masak', 2),
  ('v-2', 'c-1', 'Kasir', 1),
  ('v-3', 'c-2', 'Teknisi', null);
