-- Traps: what belongs to people stands beside, below and behind the tables of companies and vacancies.
create table app_user (id int primary key, name text, email text, password text);
create table applicants (id int primary key, vacancy_id int, full_name text, status text, city text, birth_date date);
create table member (id int primary key, name text, mobile text, city text);
create table contact (id int primary key, name text, phone text, kota text);
create table publisher (id int primary key, name text, email text, given_name text);
create table manager (id int primary key, name text, level text);
create table petugas (id int primary key, name text);
create table agents (id int primary key, name text);
create table company_sector (id int primary key, name text);
create table kota (id int primary key, nama text, created_by int references app_user);
create table company (
  id int primary key, name text not null, npwp text, phone text, email text, director_name text, pic text, contact_person text,
  owner_birth_date date, contact jsonb, password_hash text, activation_code varchar(12), verification_token varchar(20),
  verifier_id int references app_user, approver_id int references manager, is_active boolean, status text,
  kota_id int references kota, sector_id int references company_sector, website text, address text, details jsonb, updated_by text,
  verifikator text, nama_verifikator varchar(20), approved_name text, publisher_name text, confirmed_person text, petugas_verifikasi text,
  status_petugas_id int references petugas
);
create table company_contact (
  id int primary key, company_id int not null references company, name text, phone text, email text, street text, city text, is_main boolean
);
create table vacancy (
  id int primary key, company_id int not null references company, title text not null, description text,
  contact_id int references contact, publisher_id int references publisher, member_id int references member, created_by int references app_user,
  recruiter_phone text, contact_email text, status text, kota_id int references kota, closes_at timestamptz, deleted_by text,
  agent_id int references agents, moderator text
);
create table vacancy_attribute (vacancy_id int not null references vacancy, key text, value text, primary key (vacancy_id, key));

insert into app_user select g, 'Rahasia ' || g, 'rahasia' || g || '@example.org', 'rahasia' from generate_series(1, 9) g;
insert into applicants select g, 1 + g % 60, 'Rahasia ' || g, 'sent', 'Bogor', '1990-01-01' from generate_series(1, 300) g;
insert into member select g, 'Bandung Rahasia', '0812-rahasia', 'Bogor' from generate_series(1, 9) g;
insert into contact select g, case when g < 5 then 'Jakarta' else 'Bandung' end, '0812-rahasia', 'Depok' from generate_series(1, 9) g;
insert into publisher select g, 'Medan', 'rahasia@example.org', 'Rahasia' from generate_series(1, 9) g;
insert into manager select g, 'Rahasia ' || g, 'senior' from generate_series(1, 9) g;
insert into petugas select g, 'Rahasia ' || g from generate_series(1, 9) g;
insert into agents select g, 'Rahasia ' || g from generate_series(1, 9) g;
insert into company_sector values (1, 'Education'), (2, 'Trading');
insert into kota values (1, 'Kota Bogor', 1), (2, 'Kota Depok', 1), (3, 'Kota Medan', 1);
insert into company select g, 'PT Contoh ' || g, 'rahasia' || g, '0812-rahasia', 'rahasia@example.org', 'Rahasia', 'Rahasia', 'Rahasia',
  '1980-01-01', '{"phone": "rahasia", "city": "Bogor"}', 'rahasia', 'rahasia' || g % 9, 'rahasia' || g % 9, 1 + g % 9, 1 + g % 9, g % 2 = 0, 'live',
  1 + g % 3, 1 + g % 2, 'https://www.example.org', 'Jalan ' || g, '{"email": "rahasia", "about": "Teks", "pic": {"name": "Rahasia"}}', 'rahasia',
  'Rahasia ' || g % 3, 'Rahasia ' || g % 3, 'Rahasia ' || g % 3, 'Rahasia ' || g % 3, 'Rahasia ' || g % 3, 'Rahasia ' || g % 3, 1 + g % 9
  from generate_series(1, 40) g;
insert into company_contact select g, g, 'Rahasia', '0812-rahasia', 'rahasia@example.org', 'Jalan ' || g, 'Bogor', true from generate_series(1, 40) g;
insert into vacancy select g, 1 + g % 40, 'Kasir', 'Teks', 1 + g % 9, 1 + g % 9, 1 + g % 9, 1 + g % 9, '0812-rahasia', 'rahasia@example.org', 'live', 1 + g % 3,
  now() + interval '9 days', 'rahasia', 1 + g % 9, 'Rahasia ' || g % 3 from generate_series(1, 60) g;
insert into vacancy_attribute select g, k, 'rahasia' from generate_series(1, 60) g, unnest(array['contact_phone', 'recruiter_email', 'quota']) k;
