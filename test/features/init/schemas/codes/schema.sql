-- A vendor's recruiting system: text codes everywhere, several customers in one database, row-level security.
create schema tal;

create table tal.customer (
  customer_code varchar(8) primary key,
  customer_label text not null
);

create table tal.code_list (
  list_code varchar(8) not null,
  code varchar(8) not null,
  meaning text not null,
  primary key (list_code, code)
);

create table tal.town (
  town_code varchar(8) primary key,
  town_label text not null
);

create table tal.sector (
  sector_code char(6) primary key,
  sector_label text not null
);

create table tal.legal_unit (
  unit_code char(10) primary key,
  customer_code varchar(8) not null references tal.customer,
  registered_as text not null,
  trade_as text,
  sector_code char(6) references tal.sector,
  permit_no text,
  homepage text,
  profile_note text,
  state_code char(1) not null check (state_code in ('A', 'S', 'X')) -- active, suspended, struck off
);

create table tal.site (
  site_code varchar(14) primary key,
  unit_code char(10) not null references tal.legal_unit,
  site_kind char(2) not null, -- HQ, BR
  street_line text,
  post_code char(5),
  town_code varchar(8) references tal.town,
  main_tel text,
  mailbox text,
  lat_long text
);
create index on tal.site (unit_code);

create table tal.job_family (
  family_code varchar(6) primary key,
  family_label text not null
);

create table tal.requisition (
  req_code varchar(16) primary key, -- REQ-2030-0007
  customer_code varchar(8) not null references tal.customer,
  unit_code char(10) not null references tal.legal_unit,
  site_code varchar(14) references tal.site,
  headline text not null,
  duty_text text,
  profile_text text,
  openings numeric(6, 1),
  family_code varchar(6) references tal.job_family,
  contract_code char(2) not null,
  school_code varchar(4),
  sex_code char(2) not null default 'MF',
  wed_code char(1),
  age_from smallint,
  age_to smallint,
  years_exp varchar(4), -- 2, 0, N/A
  pay_low numeric(14, 2),
  pay_high numeric(14, 2),
  pay_unit char(1) not null default 'M', -- month, year
  pay_secret char(1) not null default 'N',
  blind_ad char(1) not null default 'N',
  stage_code char(3) not null, -- DRF, PUB, HLD, CLS
  last_day date,
  withdrawn_on date
);
create index on tal.requisition (unit_code);

create table tal.competence (
  comp_code varchar(24) primary key, -- FORKLIFT-OP
  comp_label text not null
);

create table tal.requisition_competence (
  req_code varchar(16) not null references tal.requisition,
  comp_code varchar(24) not null references tal.competence,
  primary key (req_code, comp_code)
);

-- People: nothing of them may be read.
create table tal.candidate (
  candidate_code varchar(12) primary key,
  customer_code varchar(8) not null references tal.customer,
  full_label text not null,
  born_on date,
  mailbox text,
  mobile text,
  secret_hash text
);

create table tal.candidate_step (
  candidate_code varchar(12) not null references tal.candidate,
  req_code varchar(16) not null references tal.requisition,
  step_code char(3) not null,
  primary key (candidate_code, req_code)
);

-- Each customer's application sets tal.customer and sees its own rows.
alter table tal.legal_unit enable row level security;
alter table tal.site enable row level security;
alter table tal.requisition enable row level security;
create policy own_rows on tal.legal_unit using (customer_code = current_setting('tal.customer', true));
create policy own_rows on tal.site
  using (exists (select from tal.legal_unit u where u.unit_code = site.unit_code));
create policy own_rows on tal.requisition using (customer_code = current_setting('tal.customer', true));
