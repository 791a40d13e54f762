import { createRandom } from '../../../random.js';
import { createTestDatabase, onServer, type TestDatabase } from '../../../postgres/test-database.js';
import { planted } from '../../../security/planted.js';

export const CITY = '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11';

export interface SourceSize {
  /** Default 2. */
  readonly companies?: number;
  /** Default 6. */
  readonly vacancies?: number;
}

/** The databases of the tenants: one database with a schema and a role for each. The keys of all records are UUIDs. */
export interface FleetSources {
  readonly database: TestDatabase;
  add(tenant: string, size?: SourceSize): Promise<void>;
  /** As a tenant's file has it: the password is a reference to the variable that `environment` gives. */
  url(tenant: string): string;
  readonly environment: Readonly<Record<string, string>>;
  /** Some changes of a tenant's records: texts, a further vacancy, a vacancy that is gone. */
  edit(tenant: string): Promise<void>;
  /** What the platform should hold of a tenant, by id. */
  expected(tenant: string): Promise<ReadonlyMap<string, object>>;
  drop(): Promise<void>;
}

export const passwordVariable = (tenant: string): string => `${tenant.toUpperCase()}_SOURCE_PASSWORD`;

export async function createFleetSources(): Promise<FleetSources> {
  const database = await createTestDatabase();
  const { query } = database;
  const random = createRandom(17);
  const environment: Record<string, string> = {};
  const roleOf = (tenant: string) => `${database.name}_${tenant}`;
  const tenants: string[] = [];

  return {
    database,
    environment,
    async add(tenant, { companies = 2, vacancies = 6 } = {}) {
      const password = planted(`source-${tenant}`);
      environment[passwordVariable(tenant)] = password;
      tenants.push(tenant);
      await query(`
        create role ${roleOf(tenant)} login password '${password}';
        create schema ${tenant};
        create table ${tenant}.company (id text primary key, name text, about text);
        create table ${tenant}.vacancy (id text primary key, company_id text, title text, gone boolean default false);
        insert into ${tenant}.company
          select gen_random_uuid(), '${tenant} company ' || n from generate_series(1, ${companies}) n;
        with c as (select array_agg(id) as ids from ${tenant}.company)
          insert into ${tenant}.vacancy (id, company_id, title)
          select gen_random_uuid(), ids[1 + n % ${companies}], '${tenant} vacancy ' || n
          from c, generate_series(1, ${vacancies}) n;
        grant usage on schema ${tenant} to ${roleOf(tenant)};
        grant select on all tables in schema ${tenant} to ${roleOf(tenant)}`);
    },
    url(tenant) {
      const { host } = new URL(database.url);
      return `postgres://${roleOf(tenant)}:\${${passwordVariable(tenant)}}@${host}/${database.name}`;
    },
    async edit(tenant) {
      const one = (table: string, where = 'true') =>
        `id = (select id from ${tenant}.${table} where ${where} order by random() limit 1)`;
      const text = `${tenant} ${random.digits(6)}`;
      await query(`
        update ${tenant}.company set about = '${text}' where ${one('company')};
        update ${tenant}.vacancy set title = '${text}' where ${one('vacancy')}`);
      if (random.chance(0.3))
        await query(
          `insert into ${tenant}.vacancy (id, company_id, title)
           select gen_random_uuid(), id, '${text} new' from ${tenant}.company order by random() limit 1`,
        );
      if (random.chance(0.2))
        await query(`update ${tenant}.vacancy set gone = not gone where ${one('vacancy')}`);
    },
    async expected(tenant) {
      const companies = await query<{ id: string; name: string; about: string | null }>(
        `select * from ${tenant}.company`,
      );
      const vacancies = await query<{ id: string; company_id: string; title: string; gone: boolean }>(
        `select * from ${tenant}.vacancy`,
      );
      return new Map<string, object>([
        ...companies.map(
          ({ id, name, about }) => [id, { name, ...(about === null ? {} : { about }) }] as const,
        ),
        ...vacancies.map(({ id, company_id, title, gone }) => {
          // The last title of one that is gone may never have been read.
          return [
            id,
            gone ? { company: company_id, status: 'closed' } : { title, company: company_id, status: 'open' },
          ] as const;
        }),
      ]);
    },
    async drop() {
      await database.drop();
      await onServer(async (client) => {
        for (const tenant of tenants) await client.query(`drop role if exists ${roleOf(tenant)}`);
      });
    },
  };
}

/** The queries of a tenant's file. `seconds`: how long reading the companies takes at least. */
export function queriesOf(
  tenant: string,
  { seconds = 0, suffix = '' }: { readonly seconds?: number; readonly suffix?: string },
): Readonly<Record<'companies' | 'vacancies', string>> {
  const wait = seconds === 0 ? '' : `, pg_sleep(${seconds})`;
  return {
    companies: `select id as key, name, '${CITY}' as region_id, about from ${tenant}.company${wait}`,
    vacancies: `select id as key, company_id as company_key, title || '${suffix}' as title
      from ${tenant}.vacancy where not gone`,
  };
}
