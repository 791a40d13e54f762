-- An ERP: texts as jsonb by language, HTML, one table for customers, suppliers, branches and people.
create schema erp;

create table erp.land (
  id integer primary key,
  iso2 char(2) not null unique,
  label jsonb not null
);

create table erp.township (
  id integer primary key,
  land_id integer not null references erp.land,
  label jsonb not null,
  bps_ref varchar(8) -- often empty
);

create table erp.trade (
  id integer primary key,
  label jsonb not null
);

create table erp.partner (
  id integer primary key,
  parent_id integer references erp.partner,
  is_organisation boolean not null default false,
  usage varchar(12) not null default 'main', -- main, office, invoice, person
  label text not null,
  supplier_rank integer not null default 0,
  hires boolean not null default false,
  active boolean not null default true,
  trade_id integer references erp.trade,
  township_id integer references erp.township,
  street1 text,
  street2 text,
  zip varchar(10),
  tel text,
  mobile text,
  mail text,
  web text,
  registration_no text,
  born_on date, -- of people
  profile_html jsonb,
  geo_lat double precision,
  geo_lng double precision,
  picture_key text
);
create index on erp.partner (parent_id);

create table erp.currency (
  id integer primary key,
  iso3 char(3) not null unique
);

create table erp.unit_of_work (
  id integer primary key,
  partner_id integer not null references erp.partner,
  label jsonb not null
);

create table erp.contract_form (
  id integer primary key,
  label jsonb not null
);

create table erp.profession (
  id integer primary key,
  label jsonb not null
);

create table erp.degree (
  id integer primary key,
  label jsonb not null,
  rank smallint not null
);

create table erp.staffing_post (
  id integer primary key,
  unit_id integer not null references erp.unit_of_work,
  label jsonb not null,
  text_html jsonb,
  wanted_html jsonb,
  open_places integer,
  form_id integer references erp.contract_form,
  profession_id integer references erp.profession,
  degree_id integer references erp.degree,
  township_id integer references erp.township,
  pay_from numeric,
  pay_to numeric,
  currency_id integer references erp.currency,
  years_min integer,
  is_published boolean not null default false,
  active boolean not null default true,
  progress varchar(10) not null default 'recruit', -- recruit, open, done
  until_moment timestamp, -- UTC, without zone
  web_path text
);

create table erp.ability (
  id integer primary key,
  label jsonb not null
);

create table erp.post_ability (
  post_id integer not null references erp.staffing_post,
  ability_id integer not null references erp.ability,
  primary key (post_id, ability_id)
);

-- People: nothing of them may be read. There are people in erp.partner, too.
create table erp.staff_member (
  id integer primary key,
  partner_id integer references erp.partner,
  full_label text not null,
  born_on date,
  bank_account text
);

create table erp.aspirant (
  id integer primary key,
  post_id integer references erp.staffing_post,
  full_label text not null,
  mail text,
  mobile text
);
