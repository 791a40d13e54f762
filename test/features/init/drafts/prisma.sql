-- A young portal in TypeScript: camelCase, cuid keys, enums, arrays, counters on each row.
-- expect companies name: displayName
-- expect companies about: aboutCompany
-- expect companies industry: industryId
-- expect companies region_id: cityId
-- expect companies website: websiteUrl
-- expect companies logo_uri: logoUrl
-- expect companies address: streetAddress
-- expect vacancies company_key: companyId
-- expect vacancies title: jobTitle
-- expect vacancies description: jobDescription
-- expect vacancies qualification: requirements
-- expect vacancies quota: numberOfOpenings
-- expect vacancies industry: industryId
-- expect vacancies job_type: employmentType
-- expect vacancies job_function: categoryId
-- expect vacancies region_id: cityId
-- expect vacancies min_education: minEducation
-- expect vacancies min_salary_amount: salaryMin
-- expect vacancies max_salary_amount: salaryMax
-- expect vacancies min_experience: minExperienceYears
-- expect vacancies skills: skills
-- expect vacancies expire_at: applicationDeadline
-- expect vacancies confidential: isAnonymous
-- condition vacancies status: PUBLISHED
-- condition vacancies deletedAt: null
-- condition companies kondisi: aktif
create type "JobStatus" as enum ('DRAFT','PUBLISHED','EXPIRED','REJECTED');
create type "EmploymentType" as enum ('FULL_TIME','PART_TIME','INTERNSHIP','CONTRACT');
create table "City" (id serial primary key, name text not null, "provinceName" text);
create table "Industry" (id serial primary key, name text not null, slug text);
create table "JobCategory" (id serial primary key, name text not null);
create table "User" (id text primary key, email text, name text, "birthDate" date);
create table "Company" (id text primary key, "displayName" text not null, "aboutCompany" text, "industryId" integer references "Industry", "cityId" integer references "City",
  "websiteUrl" text, "logoUrl" text, "streetAddress" text, "employeeCount" integer, "companySize" text, "foundedYear" integer, "ownerId" text references "User", kondisi text,
  "ratingAverage" numeric(3,2), "socialLinks" jsonb, "createdAt" timestamptz, "updatedAt" timestamptz);
create table "JobPost" (id text primary key, "companyId" text not null references "Company", "jobTitle" text not null, "jobDescription" text, requirements text, benefits text[],
  "numberOfOpenings" integer, "viewCount" integer, "applicantCount" integer, "totalShares" integer, "employmentType" "EmploymentType", "categoryId" integer references "JobCategory", "cityId" integer references "City",
  "minEducation" text, "salaryMin" integer, "salaryMax" integer, "minExperienceYears" integer, skills text[], "applicationDeadline" timestamptz, "isAnonymous" boolean, "isFeatured" boolean,
  status "JobStatus", "studyMode" text, "ageGroup" text, "gradeLevel" text, "externalUrl" text, "authorId" text references "User", "deletedAt" timestamptz, "createdAt" timestamptz);
insert into "City" select i, (array['Kota Bandung','Kota Surabaya','Kota Medan','Kota Semarang','Kota Makassar','Kota Denpasar'])[i], 'X' from generate_series(1, 6) i;
insert into "Industry" select i, (array['Manufaktur','Perdagangan','Pendidikan'])[i], 's' || i from generate_series(1, 3) i;
insert into "JobCategory" select i, (array['Akuntansi','Teknik','Penjualan'])[i] from generate_series(1, 3) i;
insert into "User" select 'u' || i, 'rahasia', 'Rahasia', date '1990-01-01' from generate_series(1, 20) i;
insert into "Company" select 'c' || i, 'Karya ' || i, 'Kami membuat perangkat lunak.', 1 + i % 3, 1 + i % 6, 'https://karya' || i || '.example', 'https://cdn.example/' || i || '.png', 'Jl. Kenanga ' || i,
  i * 7, '11-50', 1990 + i % 30, 'u' || (1 + i % 20), (array['aktif','aktif','aktif','beku'])[1 + i % 4], 3.5, '["https://x.example"]', now(), now() from generate_series(1, 36) i;
insert into "JobPost" select 'j' || i, 'c' || (1 + i % 36), (array['Akuntan','Penjual','Insinyur'])[1 + i % 3], 'Menyusun laporan setiap bulan.', 'Jujur.', array['BPJS','Bonus'],
  1 + i % 8, i * 31, i % 70, i % 9, (array['FULL_TIME','PART_TIME','CONTRACT'])[1 + i % 3]::"EmploymentType", 1 + i % 3, 1 + i % 6, (array['SMA','S1','D3'])[1 + i % 3], 3000000 + i * 5000, 6000000 + i * 5000,
  i % 6, array['excel','akuntansi'], timestamptz '2026-12-01' + i * interval '1 day', i % 10 = 0, i % 7 = 0, (array['PUBLISHED','PUBLISHED','PUBLISHED','DRAFT','EXPIRED'])[1 + i % 5]::"JobStatus",
  null, (array['20-30','25-40'])[1 + i % 2], null, null, 'u1', case when i % 20 = 0 then now() end, now() from generate_series(1, 180) i;
