-- An English application with quoted names in camelCase, integer enums, several employers of one posting, and a schema of its own.
create schema careers;
create table careers."Country" ("countryId" int primary key, "isoCode" char(2) not null, "name" text not null);
create table careers."City" ("cityId" int primary key, "countryId" int references careers."Country", "name" text not null);
create table careers."OfficeAddress" (
  "addressId" int primary key, "cityId" int references careers."City", street text, "zipCode" text, latitude numeric, longitude numeric);
create table careers."Employer" (
  "employerId" uuid primary key,
  "legalName" text not null,
  "addressId" int references careers."OfficeAddress",
  "phoneNumber" text,
  "contactEmail" text,
  "registrationNumber" text,
  sector int,
  "aboutHtml" text,
  "homepage" text,
  "logoUrl" text,
  "isActive" boolean not null default true,
  "taxNumberEncrypted" bytea,
  "updatedAt" timestamptz not null default now()
);
create type careers."Seniority" as enum ('junior', 'senior');
create table careers."JobPosting" (
  "postingId" uuid primary key,
  "jobTitle" text not null,
  "description" text,
  "requirements" text[],
  "openings" int,
  "employmentType" smallint not null,
  "seniority" careers."Seniority",
  "educationLevel" smallint,
  "salaryRange" int4range,
  "salaryCurrency" char(3),
  "yearsOfExperience" int,
  "applyUrl" text,
  "closesAt" timestamptz,
  "state" smallint not null check ("state" in (0, 1, 2)),
  "discardedAt" timestamptz,
  "updatedAt" timestamptz not null default now()
);
create table careers."PostingEmployer" (
  "postingId" uuid references careers."JobPosting", "employerId" uuid references careers."Employer", "isLead" boolean not null,
  primary key ("postingId", "employerId"));
create table careers."Skill" ("skillId" int primary key, "skillName" text not null);
create table careers."PostingSkill" (
  "postingId" uuid references careers."JobPosting", "skillId" int references careers."Skill", primary key ("postingId", "skillId"));
create table careers."Applicant" ("applicantId" uuid primary key, "fullName" text, "dateOfBirth" date, "passwordHash" text);
create table careers."JobApplication" (
  "applicationId" uuid primary key, "postingId" uuid references careers."JobPosting", "applicantId" uuid references careers."Applicant");

create function careers.touch() returns trigger language plpgsql as $$ begin new."updatedAt" := now(); return new; end $$;
create trigger touch before update on careers."JobPosting" for each row execute function careers.touch();

insert into careers."Country" values (1, 'ID', 'Indonesia');
insert into careers."City" values (1, 1, 'Bandung'), (2, 1, 'Kota Padang'), (3, 1, 'Depok');
insert into careers."OfficeAddress" select g, 1 + g % 3, 'Street ' || g, '1' || g, -6.2, 106.8 from generate_series(1, 30) g;
insert into careers."Employer" ("employerId", "legalName", "addressId", "phoneNumber", "contactEmail", sector, "aboutHtml", "homepage")
  select ('00000000-0000-4000-8000-' || lpad(g::text, 12, '0'))::uuid, 'Employer ' || g, g, 'rahasia', 'rahasia', g % 3, '<p>About</p>', 'https://e' || g || '.example'
  from generate_series(1, 30) g;
insert into careers."JobPosting" ("postingId", "jobTitle", "description", "requirements", "openings", "employmentType", "educationLevel", "salaryRange", "salaryCurrency", "closesAt", "state", "applyUrl", "yearsOfExperience")
  select ('10000000-0000-4000-8000-' || lpad(g::text, 12, '0'))::uuid, 'Posting ' || g, 'Text', array['one', 'two'], 2, g % 4, g % 3, int4range(100, 200), 'USD', timestamptz '2030-01-01 22:00Z' + g * interval '1 day', g % 3,
    'https://jobs.example/' || g, 2
  from generate_series(1, 90) g;
insert into careers."PostingEmployer" select "postingId", ('00000000-0000-4000-8000-' || lpad((1 + row_number() over (order by "postingId") % 30)::text, 12, '0'))::uuid, true from careers."JobPosting";
insert into careers."PostingEmployer" select "postingId", '00000000-0000-4000-8000-000000000009', false from careers."JobPosting" order by 1 limit 10 on conflict do nothing;
insert into careers."Skill" values (1, 'Node.js'), (2, 'C#');
insert into careers."PostingSkill" select "postingId", 1 from careers."JobPosting" union all select "postingId", 2 from careers."JobPosting";
