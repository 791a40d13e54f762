-- A board in English: camelCase, UUIDs, a table of flags, a table of places, agencies beside employers, states in capitals.
create table "Place" ("id" serial primary key, "kind" text, "name" text, "parentId" int references "Place");
create table "Employer" ("id" uuid primary key, "displayName" text, "placeId" int references "Place", "billingAddress" text, "streetAddress" text,
  "email" text, "phone" text, "aboutUs" text, "licenseNo" text, "website" text, "isActive" boolean not null, "isDemo" boolean not null, "deletedAt" timestamptz, "createdAt" timestamptz not null);
create table "Agency" ("id" uuid primary key, "agencyName" text, "phone" text, "email" text);
create table "Recruiter" ("id" uuid primary key, "fullName" text, "email" text, "mobile" text);
create table "JobPost" ("id" uuid primary key, "slug" text unique, "employerId" uuid not null references "Employer", "agencyId" uuid references "Agency", "recruiterId" uuid references "Recruiter",
  "title" text, "bodyHtml" text, "requirements" text, "placeId" int references "Place", "employmentType" text, "workplaceType" text, "salaryFrom" numeric, "salaryTo" numeric,
  "salaryCurrency" text, "payPeriod" text, "publishSalary" boolean not null, "openings" int, "viewCount" int, "minExperience" int, "closingDate" date, "createdAt" timestamptz,
  "updatedAt" timestamptz, "publishedAt" timestamptz, "state" text, "isArchived" boolean not null, "deletedAt" timestamptz, "skillsText" text, "tags" text[], "category" text);
create table "PostFlag" ("postId" uuid references "JobPost", "flag" text, primary key ("postId", "flag"));
create table "PostLocation" ("postId" uuid references "JobPost", "placeId" int references "Place", "rank" int, primary key ("postId", "placeId"));
insert into "Place" ("kind", "name") values ('country', 'Indonesia'), ('province', 'Jawa Barat'), ('province', 'Jawa Timur');
insert into "Place" ("kind", "name", "parentId") select 'city', unnest(array['Kota Bandung', 'Kota Bogor', 'Kota Cirebon']), 2;
insert into "Place" ("kind", "name", "parentId") select 'city', unnest(array['Kota Surabaya', 'Kota Kediri', 'Kota Malang', 'Kota Madiun']), 3;
insert into "Employer" select md5('e' || n)::uuid, (array['Blue','Green','Silver','North'])[1 + n % 4] || ' ' || (array['Foods','Freight','Clinics'])[1 + n % 3] || ' ' || n,
  4 + n % 3, 'Ledger Street ' || n, 'Main Street ' || n, 'jobs@employer' || n || '.co.id', '+62 31 55' || 10000 + n, 'We have worked here since ' || 1970 + n % 40, 'NIB-' || 5000 + n,
  'https://employer' || n || '.co.id', n % 8 <> 0, n % 20 = 0, case when n % 11 = 0 then now() - interval '3 days' end, now() - n * interval '2 days' from generate_series(1, 50) n;
insert into "Agency" select md5('a' || n)::uuid, 'Agency ' || n, '+62 21 66' || 1000 + n, 'desk@agency' || n || '.co.id' from generate_series(1, 6) n;
insert into "Recruiter" select md5('r' || n)::uuid, 'Person ' || n, 'person' || n || '@mail.co.id', '+62 811 90' || 1000 + n from generate_series(1, 30) n;
insert into "JobPost" select md5('p' || n)::uuid, 'job-' || n, md5('e' || 1 + n % 50)::uuid, md5('a' || 1 + n % 6)::uuid, md5('r' || 1 + n % 30)::uuid,
  (array['Nurse','Driver','Cook','Clerk','Engineer'])[1 + n % 5] || ' ' || (array['Night','Day'])[1 + n % 2] || ' ' || n, '<p>You will look after part ' || n || ' of our work.</p>', 'Care and patience, team ' || n,
  7 + n % 4, (array['FULL_TIME','PART_TIME','CONTRACT'])[1 + n % 3], (array['onsite','remote','hybrid'])[1 + n % 3],
  case (array['MONTH','YEAR','HOUR'])[1 + n % 3] when 'MONTH' then 4000000 + n * 9000 when 'YEAR' then 60000000 + n * 90000 else 30000 + n * 10 end,
  case (array['MONTH','YEAR','HOUR'])[1 + n % 3] when 'MONTH' then 6000000 + n * 9000 when 'YEAR' then 90000000 + n * 90000 else 40000 + n * 10 end,
  'IDR', (array['MONTH','YEAR','HOUR'])[1 + n % 3], n % 5 <> 0, 1 + n % 4, n * 13 % 900, n % 5, current_date + 3 + n % 40, now() - n * interval '5 hours',
  now() - n * interval '2 hours', case when n % 7 <> 4 then now() - n * interval '4 hours' end, (array['LIVE','LIVE','LIVE','PAUSED','DRAFT','CLOSED'])[1 + n % 6], n % 10 = 3,
  case when n % 19 = 0 then now() end, 'You work well in teams, and you know how to plan a day of ' || n || ' tasks', array[(array['driving','welding','nursing'])[1 + n % 3], (array['excel','sql'])[1 + n % 2]],
  (array['health','transport','office'])[1 + n % 3] from generate_series(1, 200) n;
insert into "PostFlag" select md5('p' || n)::uuid, 'hidden' from generate_series(1, 200) n where n % 14 = 0;
insert into "PostFlag" select md5('p' || n)::uuid, 'featured' from generate_series(1, 200) n where n % 9 = 0;
insert into "PostLocation" select md5('p' || n)::uuid, 7 + n % 4, 1 from generate_series(1, 200) n;
insert into "PostLocation" select md5('p' || n)::uuid, 7 + (n + 1) % 4, 2 from generate_series(1, 200) n where n % 3 = 0;
