-- An applicant system in two schemas: short names, char(1) flags, dates as text, neither primary nor foreign keys.
-- expect companies name: client_nm
-- expect companies address: addr_ln1
-- expect companies region_id: city_nm
-- expect companies postal_code: zip_cd
-- expect companies phone: phone_no
-- expect companies website: web_url
-- expect companies industry: indstry_desc
-- expect vacancies company_key: client_id
-- expect vacancies title: req_title
-- expect vacancies description: req_desc
-- expect vacancies quota: openings_cnt
-- expect vacancies job_type: emp_type
-- expect vacancies job_function: job_family
-- expect vacancies region_id: work_city|city_nm
-- expect vacancies industry: indstry_desc
-- expect vacancies min_salary_amount: sal_min_amt
-- expect vacancies max_salary_amount: sal_max_amt
-- expect vacancies min_salary_currency: sal_curr
-- expect vacancies max_salary_currency: sal_curr
-- expect vacancies min_experience: exp_yrs
-- expect vacancies expire_at: close_dt
-- condition vacancies req_stat: OPEN
-- condition vacancies pub_flg: Y
-- condition companies actv_flg: Y
create schema crm; create schema ats;
create table crm.clients (client_id integer not null, client_nm varchar(120), addr_ln1 varchar(200), city_nm varchar(60), zip_cd varchar(10),
  phone_no varchar(30), web_url varchar(200), indstry_desc varchar(60), empl_count integer, credit_lmt numeric(14,2), acct_type char(1), actv_flg char(1), upd_dt text);
create unique index on crm.clients (client_id);
create table ats.requisitions (req_id varchar(12) not null, client_id integer, req_title varchar(150), req_desc text, openings_cnt integer, filled_cnt integer,
  cand_total integer, view_total integer, emp_type varchar(20), job_family varchar(40), work_city varchar(60), sal_min_amt numeric(12,2), sal_max_amt numeric(12,2), sal_curr char(3),
  bill_rate numeric(10,2), exp_yrs integer, priority_level varchar(10), recruiter_id integer, open_dt text, close_dt text, req_stat varchar(10), pub_flg char(1), conf_lvl char(1), ext_no integer);
create unique index on ats.requisitions (req_id);
create table ats.candidates (cand_id integer, full_name varchar(80), dob date, req_id varchar(12));
create table ats.req_status_hist (req_id varchar(12), old_stat varchar(10), new_stat varchar(10), chg_dt text);
insert into crm.clients select i, 'Harbour Group ' || i, i || ' Dock Street', (array['Surabaya','Medan','Makassar','Denpasar'])[1 + i % 4], (60000 + i)::text, '031 55' || i,
  'https://harbour' || i || '.example', (array['Logistics','Retail','Mining'])[1 + i % 3], i * 20, i * 1000000, (array['A','B','C'])[1 + i % 3], (array['Y','Y','N'])[1 + i % 3], '2026-03-01' from generate_series(1, 30) i;
insert into ats.requisitions select 'R' || (1000 + i), 1 + i % 30, (array['Warehouse Lead','Sales Executive','Site Engineer'])[1 + i % 3], 'Plan and lead the daily work of the team.',
  1 + i % 6, i % 3, i % 90, i * 11, (array['Full time','Contract','Part time'])[1 + i % 3], (array['Logistics','Sales','Engineering'])[1 + i % 3], (array['Surabaya','Medan','Makassar'])[1 + i % 3],
  4000000 + i * 10000, 7000000 + i * 10000, 'IDR', 150 + i, i % 5, (array['High','Medium','Low'])[1 + i % 3], i % 7, '2026-05-01', to_char(date '2026-11-01' + i, 'YYYY-MM-DD'),
  (array['OPEN','OPEN','CLOSED','DRAFT','ONHOLD'])[1 + i % 5], (array['Y','Y','N'])[1 + i % 3], (array['1','2'])[1 + i % 2], i from generate_series(1, 150) i;
insert into ats.candidates select i, 'Rahasia', date '1990-01-01', 'R' || (1001 + i % 150) from generate_series(1, 90) i;
insert into ats.req_status_hist select 'R' || (1001 + i % 150), 'DRAFT', 'OPEN', '2026-05-01' from generate_series(1, 90) i;
