import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/features/catalog/catalog.js';
import { rank } from '../../../src/features/init/rank.js';
import { catalogOf } from './catalog-of.js';

const first = (catalog: Catalog) =>
  Object.fromEntries([...rank(catalog)].map(([entity, [candidate]]) => [entity, candidate?.table.name]));

describe('the likeliest table of each entity', () => {
  it('in names of Django, which begin with their application', () => {
    const catalog = catalogOf(`
      jobs_vacancy 1700: id int, title text, body text, company_id int > jobs_company, category_id int > jobs_category, closes_on date, is_published bool
      jobs_company 400: id int, name text, address text, website text, phone text, city_id int > jobs_city
      jobs_category 20: id int, name text
      jobs_city 500: id int, name text
      jobs_application 9000: id int, vacancy_id int > jobs_vacancy, user_id int > auth_user, letter text
      auth_user 8000: id int, username text, password text, email text
      django_session 9000: session_key text, session_data text, expire_date timestamptz
      django_content_type 30: id int, app_label text, model text`);
    expect(first(catalog)).toEqual({ companies: 'jobs_company', vacancies: 'jobs_vacancy' });
  });

  it('in names of Laravel, whose jobs are a queue', () => {
    const catalog = catalogOf(`
      jobs 90000: id int, queue text, payload text, attempts int, reserved_at int, available_at int
      failed_jobs 300: id int, uuid text, connection text, queue text, payload text, exception text, failed_at timestamp
      vacancies 800: id int, employer_id int > employers, title text, description text, deadline date, deleted_at timestamp
      employers 150: id int, user_id int > users, name text, address text, website text, logo text
      users 5000: id int, name text, email text, password text`);
    expect(first(catalog)).toEqual({ companies: 'employers', vacancies: 'vacancies' });
  });

  it('in names of Rails, with the plural and a discarded_at', () => {
    const catalog = catalogOf(`
      companies 300: id int, name text, description text, website text, address text
      job_postings 900: id int, company_id int > companies, title text, body text, expires_at timestamptz, discarded_at timestamptz
      job_posting_skills 3000: id int, job_posting_id int > job_postings, name text
      job_applications 7000: id int, job_posting_id int > job_postings, resume text
      saved_jobs 4000: id int, job_posting_id int > job_postings, note text
      job_alerts 4000: id int, keyword text, email text
      ar_internal_metadata 1: key text, value text`);
    expect(first(catalog)).toEqual({ companies: 'companies', vacancies: 'job_postings' });
  });

  it('in a course platform: courses, not their modules, and who provides them', () => {
    const catalog = catalogOf(`
      mdl_course 600: id int, category int > mdl_course_categories, fullname text, summary text, startdate int, enddate int, visible int
      mdl_course_categories 40: id int, name text, description text
      mdl_course_sections 5000: id int, course int > mdl_course, name text, summary text
      mdl_course_modules 9000: id int, course int > mdl_course, idnumber text
      mdl_user 20000: id int, username text, password text, firstname text
      mdl_user_enrolments 50000: id int, userid int > mdl_user, note text`);
    expect(first(catalog)).toEqual({ trainings: 'mdl_course' });
  });

  it('in Indonesian, where the first word says what a table is', () => {
    const catalog = catalogOf(`
      lembaga_pelatihan 120: kode text, nama text, alamat text, telepon text, kota_kode text
      kelas_pelatihan 900: id int, lembaga_kode text > lembaga_pelatihan, nama text, uraian text, mulai date, selesai date, kuota int
      peserta_pelatihan 30000: id int, kelas_id int > kelas_pelatihan, nama text, nik text
      jenis_pelatihan 10: id int, nama text
      perusahaan_mitra 300: id int, nama text, alamat text, situs text
      lowongan_kerja 1500: id int, mitra_id int > perusahaan_mitra, judul text, uraian text, batas_lamaran date
      kategori_lowongan 12: id int, nama text
      lamaran 20000: id int, lowongan_id int > lowongan_kerja, surat text`);
    expect(first(catalog)).toEqual({
      companies: 'perusahaan_mitra',
      vacancies: 'lowongan_kerja',
      institutions: 'lembaga_pelatihan',
      trainings: 'kelas_pelatihan',
    });
  });

  it('by what the vacancies name, where the table of companies is called like nothing', () => {
    const catalog = catalogOf(`
      requisition 500: req_no int, unit_no int > legal_seat, headline text, duties text, last_day date
      legal_seat 90: unit_no int, registered_as text, address text, website text, phone text, industry int > sector
      sector 12: id int, name text`);
    expect(first(catalog)).toEqual({ companies: 'legal_seat', vacancies: 'requisition' });
  });

  it('in an ERP that keeps companies and people in one table', () => {
    const catalog = catalogOf(`
      res_partner 5000: id int, name text, is_company bool, street text, city text, website text, phone text, birthdate date
      hr_job 200: id int, name text, description text, partner_id int > res_partner, no_of_recruitment int, date_to date, state text
      hr_applicant 3000: id int, job_id int > hr_job, partner_name text
      hr_employee 200: id int, name text, job_id int > hr_job, birthday date
      hr_department 20: id int, name text`);
    expect(first(catalog)).toEqual({ companies: 'res_partner', vacancies: 'hr_job' });
  });

  it('in a public-sector site with employers of several vacancies', () => {
    const catalog = catalogOf(`
      vacancies 1700: id uuid, job_title text, job_advert text, expires_at timestamptz, publish_on date, salary text, status int, working_patterns int[], discarded_at timestamptz, publisher_id uuid > publishers
      organisations 26000: id uuid, name text, address text, town text, postcode text, url text, phase int, type text, email text
      organisation_vacancies 1900: id uuid, organisation_id uuid > organisations, vacancy_id uuid > vacancies, created_at timestamp
      publishers 3000: id uuid, oid text, email text, given_name text
      jobseekers 9000: id uuid, email text, encrypted_password text
      job_applications 9000: id uuid, vacancy_id uuid > vacancies, jobseeker_id uuid > jobseekers, city text
      subscriptions 9000: id uuid, email text, search_criteria jsonb
      school_group_memberships 9000: id uuid, school_id uuid > organisations, note text`);
    expect(first(catalog)).toEqual({ companies: 'organisations', vacancies: 'vacancies' });
  });

  it('in a catalogue of courses with cycles, sites and enrichments', () => {
    const catalog = catalogOf(`
      recruitment_cycle 4: id int, year text, application_start_date date
      provider 3000: id int, provider_name text, provider_code text, address1 text, town text, postcode text, website text, recruitment_cycle_id int > recruitment_cycle, discarded_at timestamp
      course 22000: id int, name text, course_code text, provider_id int > provider, start_date timestamp, qualification int, level text, discarded_at timestamp
      course_enrichment 60000: id int, course_id int > course, json_data jsonb, status int, note text
      course_site 80000: id int, course_id int > course, site_id int > site, publish text, status text
      course_subject 30000: id int, course_id int > course, subject_id int > subject
      subject 60: id int, subject_name text, subject_code text
      site 18000: id int, location_name text, address1 text, postcode text, provider_id int > provider
      user 5000: id int, email text, first_name text
      organisation 2000: id int, name text, org_id text
      organisation_provider 3000: id int, provider_id int > provider, organisation_id int > organisation`);
    expect(first(catalog)).toEqual({ institutions: 'provider', trainings: 'course' });
  });

  it('in a learning platform whose schools are accounts, and in a recruiting one with one-word names', () => {
    const learning = catalogOf(`
      courses 900: id int, name text, account_id int > accounts, workflow_state text, start_at timestamp, conclude_at timestamp, is_public bool
      accounts 30: id int, name text, parent_account_id int > accounts, workflow_state text
      enrollments 90000: id int, course_id int > courses, user_id int > users, type text
      users 9000: id int, name text
      course_sections 900: id int, course_id int > courses, name text`);
    expect(first(learning)).toEqual({ institutions: 'accounts', trainings: 'courses' });
    const recruiting = catalogOf(`
      joborder 300: joborder_id int, title text, description text, company_id int > company, openings int, salary text, status text, is_hot int
      company 90: company_id int, name text, address text, city text, url text, phone1 text
      candidate 9000: candidate_id int, last_name text
      candidate_joborder 9000: id int, candidate_id int > candidate, joborder_id int > joborder, note text`);
    expect(first(recruiting)).toEqual({ companies: 'company', vacancies: 'joborder' });
  });

  it('leaves out empty tables when another is filled, and lists what else may be', () => {
    const catalog = catalogOf(`
      job_old 0: id int, title text, description text, deadline date
      job_ad 300: id int, title text, description text, deadline date
      job_offer 20: id int, title text, description text, deadline date`);
    expect(
      rank(catalog)
        .get('vacancies')
        ?.map(({ table }) => table.name)
        .slice(0, 2),
    ).toEqual(['job_ad', 'job_offer']);
  });
});

it('finds nothing in tables that are about something else', () => {
  const catalog = catalogOf(`
    product 500: id int, sku text, price numeric
    invoice 900: id int, customer_id int > customer, total numeric
    customer 300: id int, name text, email text
    company_type 4: id int, name text`);
  expect(first(catalog)).toEqual({});
});
