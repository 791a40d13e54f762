import { companyTable } from './company-table.js';
import { proseSql } from './prose-sql.js';
import { uuidSql } from './uuid-sql.js';

/** Vacancies of each company. */
export const VACANCIES_EACH = 1_000;

/**
 * SQL: tables with `count` vacancies of 1.1 KB in 25 columns, and their companies. The same at every run. The column
 * changed_at changes with every change of a row.
 */
export function sourceTables(count: number): readonly string[] {
  const companies = Math.max(10, Math.ceil(count / VACANCIES_EACH));
  return [
    ...companyTable(companies, 10),
    `create table vacancy (key text collate "C" primary key, company_key text not null, title text, description text,
       quota integer, qualification text, industry uuid, job_type uuid, job_function uuid, region_id uuid, gender text,
       min_education uuid, min_salary_amount numeric(14, 2), max_salary_amount numeric(14, 2), marital text,
       min_age smallint, max_age smallint, min_experience integer, disability_allowed boolean, confidential boolean,
       skills text[], client_url text, expire_at date, status text, changed_at timestamptz)`,
    `insert into vacancy select 'V' || lpad(n::text, 9, '0'), 'C' || lpad((1 + n % ${companies})::text, 6, '0'), 'Vacancy ' || n,
       ${proseSql('n', 14)}, 1 + n % 20, ${proseSql(`'q' || n`, 8)}, ${uuidSql(`'industry' || n % 40`)}, ${uuidSql(`'type' || n % 5`)},
       ${uuidSql(`'function' || n % 60`)}, ${uuidSql(`'city' || n % 500`)}, case n % 3 when 0 then 'male' when 1 then 'female' end,
       ${uuidSql(`'education' || n % 8`)}, 4000000 + n % 100 * 10000, 6000000 + n % 100 * 20000, null,
       18 + n % 5, 30 + n % 20, n % 6, n % 7 = 0, false, array['driving', 'welding'], 'https://jobs.example.org/' || n,
       date '2099-12-31' - n % 365, 'open', timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series(1, ${count}) n`,
    'vacuum analyze vacancy',
  ];
}
