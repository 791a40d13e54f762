import { expect } from 'vitest';
import { addCompanies, addVacancies, type CliWorld, createCliWorld, SECRET } from '../cli/cli-world.js';
import { listening, type RunningCli } from '../cli/run-cli.js';

export interface DashboardWorld extends CliWorld {
  readonly worker: RunningCli;
  /** Address of the dashboard. */
  readonly url: string;
}

interface DashboardWorldOptions {
  /** Changes the world before the worker starts. */
  readonly prepare?: (world: CliWorld) => Promise<void> | void;
  readonly schedule?: string;
  readonly admin?: string;
  /** Pauses of a stopped area. */
  readonly pauses?: string;
}

/** A partner's set-up with a running worker; both end with the test. */
export async function createDashboardWorld(options: DashboardWorldOptions = {}): Promise<DashboardWorld> {
  const { schedule = '0 0 1 1 *', admin = '{ port: 0 }' } = options;
  const { pauses = 'baseDelay: 300ms, maxDelay: 600ms' } = options;
  const world = await createCliWorld();
  world.configure(
    'entities:',
    `schedule: { sync: '${schedule}' }
webhook: { secrets: ['${SECRET}'] }
http: { public: { host: 127.0.0.1, port: 0 }, admin: ${admin} }
retry: { breakerAfter: 3, ${pauses} }
entities:`,
  );
  await options.prepare?.(world);
  const worker = world.start('start');
  const url = (await listening(worker, 'admin')).replace('0.0.0.0', '127.0.0.1');
  return Object.assign(Object.create(world) as CliWorld, { worker, url });
}

/** Companies and vacancies of which some are refused, invalid or waiting; c003 is refused. */
export async function addMixedRecords(world: CliWorld): Promise<void> {
  world.write('industries.csv', 'code,id\nfarming,5d1c2f80-14a5-4a39-9a55-2f1f2a3f4b02\nmining,\n');
  world.write(
    'companies.sql',
    `select id as key, name, city as region_id, about, case id when 'c005' then 'mining' when 'c006' then 'fishing' else 'farming' end as industry from company;\n`,
  );
  world.configure(
    'companies: { query: companies.sql }',
    'companies: { query: companies.sql, lookups: { industry: industries.csv } }',
  );
  world.intercept = ({ method, body }) =>
    method === 'PUT' && (body as { name?: string } | undefined)?.name === 'Company 3'
      ? {
          status: 422,
          body: {
            message: 'The given data was invalid.',
            errors: { name: ['The name has already been taken.'] },
          },
        }
      : undefined;
  await addCompanies(world, 12);
  await addVacancies(world, 8);
  await world.sql(`update company set name = null where id = 'c004'`);
  await world.sql(`update vacancy set company_id = 'c004' where id = 'v008'`);
}

/** A world whose first run has left records of every kind. */
export async function mixedWorld(): Promise<DashboardWorld> {
  const world = await createDashboardWorld({ prepare: addMixedRecords });
  const count = async (where: string) =>
    (await world.sql(`select 1 from placement_sync.sync_state where ${where}`)).length;
  await expect.poll(() => count('refused_hash is not null'), { timeout: 60_000 }).toBe(1);
  await expect.poll(() => count('settled'), { timeout: 60_000 }).toBeGreaterThan(10);
  return world;
}
