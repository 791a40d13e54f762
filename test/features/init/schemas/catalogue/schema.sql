-- A catalogue of courses. Every year all centres and courses are entered again: their ids are new, their codes stay.
create schema kat;

create table kat.cycle (
  cycle_no smallint primary key, -- 2031
  opened_on date not null,
  is_current boolean not null default false
);

create table kat.centre (
  centre_id serial primary key,
  cycle_no smallint not null references kat.cycle,
  centre_code varchar(8) not null,
  centre_label text not null,
  street_text text,
  town_text text, -- Kab. Bandung, Jawa Barat
  tel_text text,
  mail_text text,
  picture_path text,
  is_confirmed boolean not null default false,
  unique (cycle_no, centre_code)
);

create table kat.subject (
  subject_code varchar(6) primary key,
  subject_label text not null
);

create table kat.certificate_scheme (
  scheme_code varchar(6) primary key,
  scheme_label text not null,
  of_bnsp boolean not null default false
);

create table kat.course (
  course_id serial primary key,
  cycle_no smallint not null references kat.cycle,
  centre_id integer not null references kat.centre,
  course_code varchar(10) not null, -- unique within a centre and a year
  subject_code varchar(6) references kat.subject,
  scheme_code varchar(6) references kat.certificate_scheme,
  course_label text not null,
  summary_html text,
  mode_code char(3) not null check (mode_code in ('ON', 'OFF', 'MIX')),
  level_no smallint,
  places smallint,
  sign_up_until timestamp, -- without zone
  picture_path text,
  is_confirmed boolean not null default false,
  archived_at timestamptz
);
create index on kat.course (centre_id);

create table kat.course_session (
  session_id serial primary key,
  course_id integer not null references kat.course,
  begins timestamp not null,
  ends timestamp not null,
  called_off boolean not null default false
);
create index on kat.course_session (course_id);

create table kat.fee_item (
  fee_id serial primary key,
  course_id integer not null references kat.course,
  item_label text not null,
  amount numeric(12, 2) not null
);
create index on kat.fee_item (course_id);

create table kat.room (
  room_id serial primary key,
  centre_id integer not null references kat.centre,
  room_label text not null,
  seats smallint
);

-- People: nothing of them may be read.
create table kat.teacher (
  teacher_id serial primary key,
  full_label text not null,
  born_on date,
  mail_text text
);

create table kat.learner (
  learner_id serial primary key,
  full_label text not null,
  nik varchar(16),
  born_on date,
  tel_text text
);

create table kat.enrolment (
  learner_id integer not null references kat.learner,
  course_id integer not null references kat.course,
  enrolled_at timestamp not null,
  primary key (learner_id, course_id)
);
