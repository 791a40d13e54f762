-- A course catalogue: texts by language as jsonb, prices and sessions as rows, keys that are made anew each year, views.
create schema catalog;
create table catalog.place (place_code varchar(8) primary key, town text, country text);
create table catalog.provider (
  provider_no int primary key, name jsonb not null, place_code varchar(8) references catalog.place, street text,
  telephone text, mail text, logo_path text, archived boolean not null default false);
create table catalog.course_category (id int primary key, label text);
create table catalog.course (
  course_id int not null, academic_year int not null, course_code varchar(12) not null, provider_no int not null references catalog.provider,
  category_id int references catalog.course_category, title jsonb not null, summary jsonb, delivery text check (delivery in ('ON', 'OFF', 'MIX')),
  level smallint, seats int, registration_until timestamp, certificate boolean, visibility smallint not null default 1,
  modified_at timestamp, primary key (course_id));
create table catalog.course_session (id int primary key, course_id int not null references catalog.course, starts_on date not null, ends_on date not null);
create table catalog.course_price (id int primary key, course_id int not null references catalog.course, amount numeric not null);
create table catalog.participant (id int primary key, course_id int references catalog.course, full_name text, birth_date date);
create view catalog.visible_course as select course_id, title from catalog.course where visibility = 1;

insert into catalog.place values ('A', 'Kota Padang', 'Indonesia'), ('B', 'Bogor', 'Indonesia');
insert into catalog.provider select g, jsonb_build_object('id', 'Lembaga ' || g, 'en', 'Provider ' || g), case when g % 2 = 0 then 'A' else 'B' end, 'Street ' || g, 'rahasia', 'rahasia', null, g = 3
  from generate_series(1, 12) g;
insert into catalog.course_category values (1, 'IT');
insert into catalog.course select g, 2026, 'C-' || g, 1 + g % 12, 1, jsonb_build_object('id', 'Pelatihan ' || g, 'en', 'Course ' || g),
    jsonb_build_object('en', '<p>Text</p>'), (array['ON', 'OFF', 'MIX'])[1 + g % 3], 1 + g % 3, 20, timestamp '2030-01-01 20:00', true, g % 2, null
  from generate_series(1, 60) g;
insert into catalog.course_session select g, 1 + g % 60, date '2030-02-01' + g, date '2030-02-03' + g from generate_series(1, 120) g;
insert into catalog.course_price select g, g, 100000.5 from generate_series(1, 60) g;
insert into catalog.participant select g, 1 + g % 60, 'Rahasia', date '2000-01-01' from generate_series(1, 400) g;
