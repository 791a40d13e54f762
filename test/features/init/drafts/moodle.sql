-- A learning platform: epochs as integers, short prefixes, categories, visibility as 0 and 1, no companies.
-- expect institutions name: '[^']+'
-- expect trainings institution_key: '[^']+'
-- expect trainings title: fullname
-- expect trainings description: summary
-- expect trainings start_date: startdate
-- expect trainings finish_date: enddate
-- condition trainings visible: 1
create table mdl_course_categories (id bigint primary key, name varchar(255) not null, parent bigint, sortorder bigint, coursecount bigint);
create table mdl_course (id bigint primary key, category bigint not null references mdl_course_categories, sortorder bigint, fullname varchar(254) not null, shortname varchar(255), idnumber varchar(100), summary text, summaryformat smallint, format varchar(21), showgrades smallint, newsitems integer, startdate bigint, enddate bigint, marker bigint, maxbytes bigint, visible smallint not null, groupmode smallint, lang varchar(30), timecreated bigint, timemodified bigint, enablecompletion smallint);
create table mdl_user (id bigint primary key, username varchar(100), firstname varchar(100), lastname varchar(100), email varchar(100), city varchar(120), phone1 varchar(20));
create table mdl_user_enrolments (id bigint primary key, userid bigint references mdl_user, courseid bigint references mdl_course, timestart bigint);
insert into mdl_course_categories select i, (array['Teknik','Bisnis','Bahasa'])[i], 0, i, 20 from generate_series(1, 3) i;
insert into mdl_course select i, 1 + i % 3, i, (array['Dasar Pengelasan','Akuntansi Dasar','Bahasa Inggris'])[1 + i % 3] || ' ' || i, 'C' || i, '', '<p>Materi dasar.</p>', 1, 'topics', 1, 5, 1798761600 + i * 86400, 1801353600 + i * 86400, 0, 0, (i % 5 <> 0)::int, 0, '', 1767225600 + i, 1767225600 + i * 2, 1 from generate_series(1, 60) i;
insert into mdl_user select i, 'user' || i, 'Rahasia', 'Rahasia', 'rahasia' || i || '@example.test', 'Bandung', '0812' from generate_series(1, 40) i;
insert into mdl_user_enrolments select i, 1 + i % 40, 1 + i % 60, 1767225600 from generate_series(1, 80) i;
