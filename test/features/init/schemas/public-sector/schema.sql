-- A public employment register: integer enums whose meaning is in the application, arrays, several employers for each
-- post, pay as prose.
create schema reg;

create table reg.seat (
  seat_code integer primary key, -- the codes of the Ministry of Home Affairs
  seat_label text not null
);

create table reg.public_body (
  body_no integer primary key,
  official_label text not null,
  body_class smallint not null,
  seat_code integer references reg.seat,
  street_and_no text,
  zip text,
  tel text[] not null default '{}',
  mailboxes text[] not null default '{}',
  homepage text,
  remit text,
  dissolved_on date
);

create table reg.branch (
  branch_no smallint primary key,
  branch_label text not null
);

create table reg.school_level (
  level_no smallint primary key,
  level_label text not null
);

create table reg.opening (
  opening_no integer primary key,
  heading text not null,
  duties text,
  demands text[] not null default '{}',
  head_count integer,
  kind smallint not null,
  branch_no smallint references reg.branch,
  school_no smallint references reg.school_level,
  sex smallint not null default 0,
  age_range int4range,
  experience_months smallint,
  pay_note text,
  abilities text[] not null default '{}',
  barrier_free smallint not null default 0,
  phase smallint not null,
  closes timestamp, -- without zone
  seat_code integer references reg.seat
);

-- Several bodies announce a post together.
create table reg.opening_body (
  opening_no integer not null references reg.opening,
  body_no integer not null references reg.public_body,
  part smallint not null, -- 1 leads, 2 takes part
  seq smallint not null,
  primary key (opening_no, body_no)
);

create table reg.gazette (
  gazette_no integer primary key,
  printed_on date not null,
  page_count integer
);

create table reg.gazette_entry (
  gazette_no integer not null references reg.gazette,
  opening_no integer not null references reg.opening,
  primary key (gazette_no, opening_no)
);

-- People: nothing of them may be read.
create table reg.official (
  official_no integer primary key,
  body_no integer references reg.public_body,
  full_label text not null,
  born_on date,
  id_card text
);

create table reg.submission (
  submission_no integer primary key,
  opening_no integer references reg.opening,
  full_label text not null,
  born_on date,
  id_card text,
  outcome smallint not null default 0
);

create table reg.audit_trail (
  entry_no bigint primary key,
  table_label text not null,
  row_no integer not null,
  at_moment timestamp not null
);
