import type { TenantDefinition } from '../../../../src/features/fleet/state/types.js';
import { readTenantFile, readTenantFolder } from '../../../../src/features/fleet/config/read-tenants.js';
import { problemsOf } from '../../../core/config/config-folder.js';
import { temporaryFolder } from '../../../temporary-folder.js';

/** A tenant in which nothing is wrong. Lines are what the tests count on. */
export const TENANT = `source:
  url: postgres://reader:\${ACME_PASSWORD}@db.example/hr
ids:
  namespace: 6ba7b810-9dad-41d1-80b4-00c04fd430c8
platform:
  jobs:
    baseUrl: https://jobs.example
    clientId: partner
    clientSecret: \${ACME_SECRET}
entities:
  companies:
    query: queries/companies.sql
`;

export const ENVIRONMENT = { ACME_PASSWORD: 'p%40ss', ACME_SECRET: 'secret-key' };

/** For tenants of other names, that have the text of TENANT. */
export const SHARED = { ofFleet: [], shared: ['ACME_PASSWORD', 'ACME_SECRET'] };

/** TENANT with a text in place of another. */
export function changed(from: string, to: string): string {
  if (!TENANT.includes(from)) throw new Error(`TENANT lacks ${from}`);
  return TENANT.replace(from, to);
}

/** A folder with these files and `queries/companies.sql`, removed after the test. */
export function tenantFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  return temporaryFolder({ 'queries/companies.sql': 'select 1 as key', ...files });
}

/** Reads this text as acme.yaml. */
export function readAcme(
  yaml: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): TenantDefinition {
  const cwd = tenantFolder({ 'acme.yaml': yaml, ...files });
  return readTenantFile('acme.yaml', { defaultPeriodMs: 600_000, cwd });
}

/** The problems of this text as acme.yaml, without the folder's path. */
export function problemsOfAcme(
  yaml: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): string[] {
  return problemsOf(() => readAcme(yaml, files)).map((line) =>
    line.replaceAll(/\/\S*placement-sync-\w+\/?/g, ''),
  );
}

/** Reads a folder that has only these files and the query. */
export function readFolder(files: Readonly<Record<string, string>>): readonly TenantDefinition[] {
  return readTenantFolder('.', { defaultPeriodMs: 600_000, variables: SHARED, cwd: tenantFolder(files) });
}
