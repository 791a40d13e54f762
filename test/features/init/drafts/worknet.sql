-- A regional portal in plain English: recruiters, listings with arrays, ranges of ages and pay, countries, an expiry in UTC.
-- expect companies name: display_name
-- expect companies about: company_overview
-- expect companies address: head_office_address
-- expect companies region_country_code: country
-- expect companies website: website_url
-- expect companies latitude: lat
-- expect companies longitude: lng
-- expect vacancies company_key: recruiter_id
-- expect vacancies title: role_title
-- expect vacancies description: role_summary
-- expect vacancies qualification: requirements
-- expect vacancies quota: vacancies_total
-- expect vacancies skills: required_skills
-- expect vacancies min_age: age
-- expect vacancies max_age: age
-- expect vacancies min_salary_amount: monthly_pay
-- expect vacancies max_salary_amount: monthly_pay
-- expect vacancies min_salary_currency: currency
-- expect vacancies max_salary_currency: currency
-- expect vacancies confidential: hide_employer
-- expect vacancies marital: marital_requirement
-- expect vacancies expire_at: closes_at
-- condition vacancies listing_status: active
create table recruiter (recruiter_id integer generated always as identity primary key, display_name text not null, company_overview text, head_office_address text, country char(2), website_url text, lat numeric(9,6), lng numeric(9,6), headcount_band text, rating numeric(2,1), listing_quota integer, phone_verified boolean, joined_on date);
create table listing (listing_id integer generated always as identity primary key, recruiter_id integer not null references recruiter, role_title text not null, role_summary text, requirements text, vacancies_total integer, applicants_total integer, required_skills text[], age_range int4range, monthly_pay int8range, currency char(3), hide_employer boolean, marital_requirement text, closes_at timestamptz, listing_status text not null, boost_level integer, source text, updated_at timestamptz);
create table seeker (seeker_id integer primary key, full_name text, mobile text, born_on date);
insert into recruiter (display_name, company_overview, head_office_address, country, website_url, lat, lng, headcount_band, rating, listing_quota, phone_verified, joined_on) select 'Group ' || i, 'A group of shops.', i || ' Harbour Road, Singapore', (array['SG','MY','ID'])[1 + i % 3], 'https://group' || i || '.example', 1.29 + i * 0.001, 103.8 + i * 0.001, '51-200', 4.1, 10, true, date '2025-01-01' from generate_series(1, 30) i;
insert into listing (recruiter_id, role_title, role_summary, requirements, vacancies_total, applicants_total, required_skills, age_range, monthly_pay, currency, hide_employer, marital_requirement, closes_at, listing_status, boost_level, source, updated_at) select 1 + i % 30, (array['Cook','Caregiver','Driver'])[1 + i % 3], 'You will cook and clean.', 'Two years in a kitchen.', 1 + i % 4, i % 30, array['cooking', 'english'], int4range(20, 36 + i % 10), int8range(1500 + i, 2500 + i), 'SGD', i % 3 = 0, (array['single','married','any'])[1 + i % 3], timestamptz '2026-12-15 16:00Z' + i * interval '1 day', (array['active','active','expired','paused'])[1 + i % 4], i % 3, 'web', timestamptz '2026-02-01' from generate_series(1, 100) i;
insert into seeker select i, 'Rahasia', '0812', date '1995-01-01' from generate_series(1, 30) i;
