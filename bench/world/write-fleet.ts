import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FLEET_SCHEMA = 'vendor';

export interface FleetFiles {
  /** fleet.yaml */
  readonly config: string;
  /** The folder with a file for each tenant. */
  readonly tenants: string;
}

/** Writes fleet.yaml with the default slots, and so many tenants of one credential whose rate limits nothing. */
export function writeFleet(options: {
  readonly folder: string;
  readonly tenants: number;
  readonly sourceUrl: string;
  readonly baseUrl: string;
  readonly ledgers: number;
}): FleetFiles {
  const { folder, tenants, sourceUrl, baseUrl } = options;
  const ledgers = Array.from({ length: options.ledgers }, (_, n) => `'\${BENCH_LEDGER_${n}}'`).join(', ');
  const files = { config: join(folder, 'fleet.yaml'), tenants: join(folder, 'tenants') };
  mkdirSync(join(files.tenants, 'queries'), { recursive: true });
  writeFileSync(
    files.config,
    [
      `fleet: { database: { url: '\${BENCH_FLEET_URL}' }, schema: ${FLEET_SCHEMA}, ledgers: [${ledgers}], rateLimits: { bench: 10000 }, sharedVariables: [BENCH_SOURCE_PASSWORD, BENCH_SECRET] }`,
      'http: { admin: { host: 127.0.0.1, port: 0 } }',
    ].join('\n'),
  );
  for (let tenant = 1; tenant <= tenants; tenant += 1) {
    const digits = String(tenant).padStart(5, '0');
    const query = `queries/t${digits}.sql`;
    writeFileSync(
      join(files.tenants, query),
      `select key, changed_at as row_version, name, region_id, about from company where tenant = ${tenant}`,
    );
    writeFileSync(
      join(files.tenants, `t${digits}.yaml`),
      [
        'tenant: { period: 10m }',
        `source: { url: '${sourceUrl}', timeZone: UTC }`,
        `ids: { namespace: 2f0a3c0e-6d5b-4c1e-9a65-7c2f4e1${digits} }`,
        'platform:',
        `  jobs: { baseUrl: '${baseUrl}', clientId: bench, clientSecret: '\${BENCH_SECRET}' }`,
        'entities:',
        `  companies: { query: ${query} }`,
      ].join('\n'),
    );
  }
  return files;
}
