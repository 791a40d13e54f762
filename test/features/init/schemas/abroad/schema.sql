-- An agency that places workers abroad: foreign places, currencies and periods of pay, requirements as rows.
create schema agc;

create table agc.country_ref (
  iso2 char(2) primary key,
  country_label text not null
);

create table agc.line_of_trade (
  trade_id smallint primary key,
  trade_label text not null
);

create table agc.principal (
  principal_id bigint primary key,
  trading_label text not null,
  trade_id smallint references agc.line_of_trade,
  place_text text, -- Kaohsiung, Taiwan
  street_text text,
  tel text,
  mail text,
  site text,
  licence_ref text,
  blurb text,
  approved_on date,
  blacklisted boolean not null default false
);

create table agc.occupation (
  occupation_id integer primary key,
  occupation_label text not null
);

create table agc.visa_kind (
  visa_code varchar(8) primary key,
  visa_label text not null
);

create table agc.job_order (
  order_no varchar(20) primary key, -- TW/2031/0007
  principal_id bigint not null references agc.principal,
  role_label text not null,
  task_html text,
  occupation_id integer references agc.occupation,
  visa_code varchar(8) references agc.visa_kind,
  place_text text,
  headcount integer not null,
  filled integer not null default 0,
  wage numeric(14, 2),
  wage_upto numeric(14, 2),
  wage_iso3 char(3),
  wage_per varchar(5) not null default 'month', -- month, year
  contract_months smallint,
  received_at timestamptz not null default '2025-06-01Z',
  departs_by date,
  revoked boolean not null default false,
  flyer_link text
);
create index on agc.job_order (principal_id);

-- What is asked for, a row for each.
create table agc.order_requirement (
  order_no varchar(20) not null references agc.job_order,
  item varchar(12) not null, -- AGE_MIN, AGE_MAX, SEX, SCHOOL, YEARS, SKILL, NOTE, WED
  seq smallint not null default 1,
  val text not null,
  primary key (order_no, item, seq)
);

create table agc.exchange_rate (
  iso3 char(3) not null,
  on_day date not null,
  to_idr numeric(14, 4) not null,
  primary key (iso3, on_day)
);

create table agc.document_kind (
  kind_code varchar(8) primary key,
  kind_label text not null
);

-- People: nothing of them may be read.
create table agc.worker (
  worker_id bigint primary key,
  full_label text not null,
  born_on date not null,
  passport_no varchar(12),
  mobile text
);

create table agc.placement (
  worker_id bigint not null references agc.worker,
  order_no varchar(20) not null references agc.job_order,
  flown_on date,
  primary key (worker_id, order_no)
);

create table agc.worker_document (
  document_id bigint primary key,
  worker_id bigint not null references agc.worker,
  kind_code varchar(8) references agc.document_kind,
  scan bytea
);
