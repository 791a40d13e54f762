-- A chain of training centres (Prisma, camelCase): branches as institutions, programmes with classes, price in rupiah, mode as an enum.
-- expect institutions name: branchName
-- expect institutions address: streetAddress
-- expect institutions phone: phoneNumber
-- expect institutions email: email
-- expect institutions region_id: cityName
-- expect trainings institution_key: branchId
-- expect trainings title: programName
-- expect trainings description: overview
-- expect trainings price: tuitionFee
-- expect trainings quota: maxParticipants
-- expect trainings media: deliveryMode
-- expect trainings start_date: startsAt
-- expect trainings finish_date: endsAt
-- expect trainings expired_date: registrationDeadline
-- expect trainings difficulty_level: level
-- expect trainings certified: givesCertificate
-- expect trainings cover_uri: coverImageUrl
-- expect trainings address: streetAddress
-- expect trainings region_id: cityName
-- condition trainings publishState: PUBLISHED
create type "DeliveryMode" as enum ('ONLINE', 'OFFLINE'); create type "PublishState" as enum ('DRAFT', 'PUBLISHED', 'ARCHIVED');
create table "Branch" (id text primary key, "branchName" text not null, "streetAddress" text, "cityName" text, "phoneNumber" text, email text, "isHeadOffice" boolean, "roomCount" integer, "createdAt" timestamp(3) not null, "updatedAt" timestamp(3) not null);
create table "Program" (id text primary key, "branchId" text not null references "Branch", "programName" text not null, overview text, "tuitionFee" integer, "maxParticipants" integer, "enrolledCount" integer, "deliveryMode" "DeliveryMode", level text, "givesCertificate" boolean, "coverImageUrl" text, "startsAt" timestamp(3), "endsAt" timestamp(3), "registrationDeadline" timestamp(3), "publishState" "PublishState" not null, "viewCount" integer, "createdAt" timestamp(3) not null, "updatedAt" timestamp(3) not null);
create table "Participant" (id text primary key, "fullName" text, "phoneNumber" text, "birthDate" date); create table "Enrollment" (id text primary key, "programId" text references "Program", "participantId" text references "Participant", "paidAmount" integer);
insert into "Branch" select 'br' || i, 'LPK Maju Cabang ' || i, 'Jl. Veteran ' || i, (array['Kota Malang','Kab. Jember','Kab. Kediri'])[1 + i % 3], '0341-5' || i, 'cabang' || i || '@maju.example', i = 1, 3 + i, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 12) i;
insert into "Program" select 'pr' || i, 'br' || (1 + i % 12), (array['Las','Tata Boga','Barista'])[1 + i % 3] || ' angkatan ' || i, 'Belajar sambil praktik.', 1500000 + i * 10000, 12 + i % 9, i % 12, (array['ONLINE','OFFLINE'])[1 + i % 2]::"DeliveryMode", (array['beginner','intermediate','advanced'])[1 + i % 3], i % 4 <> 0, 'https://img.example/' || i || '.jpg', timestamp '2027-01-10' + i * interval '1 day', timestamp '2027-02-10' + i * interval '1 day', timestamp '2026-12-20' + i * interval '1 day', (array['PUBLISHED','PUBLISHED','DRAFT','ARCHIVED'])[1 + i % 4]::"PublishState", i * 8, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 90) i;
insert into "Participant" select 'pa' || i, 'Rahasia', '0812', date '2001-01-01' from generate_series(1, 40) i;
insert into "Enrollment" select 'en' || i, 'pr' || (1 + i % 90), 'pa' || (1 + i % 40), 500000 from generate_series(1, 70) i;
