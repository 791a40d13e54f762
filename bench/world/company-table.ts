import { proseSql } from './prose-sql.js';
import { uuidSql } from './uuid-sql.js';

/** SQL: the table of companies, with so many pieces of 32 letters in the text about each. */
export function companyTable(count: number, pieces: number): readonly string[] {
  return [
    `create table company (key text collate "C" primary key, name text, region_id uuid, address text, phone text,
       about text, changed_at timestamptz)`,
    `insert into company select 'C' || lpad(n::text, 6, '0'), 'Company ' || n, ${uuidSql(`'city' || n % 500`)}, 'Street ' || n,
       '+62 21 ' || 100000 + n, ${proseSql('n', pieces)}, timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series(1, ${count}) n`,
    'vacuum analyze company',
  ];
}
