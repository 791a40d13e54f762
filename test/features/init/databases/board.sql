-- A job board of one table: companies are texts in it, attributes are rows, a list of types is an array.
create table job_listing (
  id bigserial primary key, slug text unique, job_title text not null, content text, company_name text, company_website text,
  company_logo text, company_email text, location text, job_types text[], is_remote boolean, salary_text text, salary_per text,
  post_status varchar(20), filled boolean not null default false, expires text, date_modified timestamp, author_id int);
create table job_listing_meta (meta_id bigserial primary key, job_listing_id bigint references job_listing, meta_key text, meta_value text);
insert into job_listing (slug, job_title, content, company_name, company_website, company_logo, company_email, location, job_types, salary_text, salary_per, post_status, expires)
  select 'job-' || g, 'Title ' || g, '<p>Text</p>', case when g % 2 = 0 then 'Acme ' || g % 7 else ' ACME ' || g % 7 end, 'https://acme.example', 'https://acme.example/l.png', 'rahasia',
    (array['Depok, Indonesia', 'Singapore, Singapore'])[1 + g % 2], array['full_time', 'contract'], case when g % 3 = 0 then '5000000' else 'Competitive' end, 'month', 'publish', '2031-01-0' || 1 + g % 9
  from generate_series(1, 50) g;
insert into job_listing_meta (job_listing_id, meta_key, meta_value) select g, '_education', 'S1' from generate_series(1, 50) g;
insert into job_listing_meta (job_listing_id, meta_key, meta_value) select g, '_skills', 'Figma' from generate_series(1, 50) g;
insert into job_listing_meta (job_listing_id, meta_key, meta_value) select g, '_contact_phone', 'rahasia' from generate_series(1, 50) g;
