import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SyncError } from '../../../core/domain/errors.js';
import type { TenantDefinition } from '../state/types.js';
import { configRefusal, type PlacedProblem } from '../../../core/config/config-refusal.js';
import { TENANT_EXAMPLE } from '../../../core/config/parse-yaml.js';
import { describeFileError, shownPath } from '../../../core/config/read-named-config.js';
import { type CheckedTenant, checkTenant, type TenantOptions } from './check-tenant.js';

/**
 * Reads every tenant of a folder: its `*.yaml`. Subfolders and hidden files are left alone. Any other file is a problem
 * unless a tenant names it, because a tenant whose file has another ending would be missing, and so be removed.
 *
 * @returns in the order of their names
 * @throws SyncError `config-invalid` (scope `usage`) with all problems of all files, as `readTenantFile`; also when the
 *   folder has no tenant
 */
export function readTenantFolder(folder: string, options: TenantOptions): readonly TenantDefinition[] {
  const { cwd = process.cwd() } = options;
  const absolute = resolve(cwd, folder);
  const files = filesIn(absolute, shownPath(absolute, cwd) || '.');
  const tenants = files
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => checkTenant(join(absolute, name), options));
  if (tenants.length === 0) {
    throw new SyncError('config-invalid', `the folder ${folder} has no tenant's file (NAME.yaml)`, {
      scope: 'usage',
      hint: 'Name the folder that has the tenants. `fleet remove` takes away a single tenant.',
    });
  }
  const named = new Set(tenants.flatMap((tenant) => tenant.named));
  const others = files
    .map((name) => join(absolute, name))
    .filter((file) => !file.endsWith('.yaml') && !named.has(file))
    .map((file) => ({
      file: shownPath(file, cwd),
      line: 0,
      path: '',
      message: `is not a tenant's file, and no tenant names it; name it NAME.yaml, or move it to a subfolder`,
    }));
  const shared = [...sharedSchemas(tenants), ...sharedNamespaces(tenants)];
  const problems = [...tenants.flatMap((tenant) => tenant.problems), ...shared, ...others];
  if (problems.length > 0) throw configRefusal('the tenants', problems, TENANT_EXAMPLE);
  return tenants.flatMap(({ definition }) => definition ?? []);
}

/** Without hidden ones, which editors, git and container platforms add. */
function filesIn(folder: string, shown: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== true)
      .sort();
  } catch (error) {
    throw new SyncError('config-invalid', `the folder ${shown} ${describeFileError(error)}`, {
      scope: 'usage',
    });
  }
}

/** Two ledgers in one schema would be one. Whether they are in the same database is not known here. */
function sharedSchemas(tenants: readonly CheckedTenant[]): readonly PlacedProblem[] {
  const keys = ({ definition }: CheckedTenant) => (definition ? [definition.schema] : []);
  return repeated(tenants, keys, ({ file, schemaLine: line }, other, schema) => {
    const message = `${schema} is also the schema of ${other}; each tenant needs its own`;
    return { file, line, path: 'state.schema', message };
  });
}

/** Such tenants would overwrite each other's records. What variables stand for is compared by the replicas. */
function sharedNamespaces(tenants: readonly CheckedTenant[]): readonly PlacedProblem[] {
  return repeated(
    tenants,
    ({ senders }) => senders,
    ({ file, namespaceLine: line }, other) => {
      const message = `is also the namespace of ${other}, which has the same baseUrl and clientId: each would overwrite the records of the other; give this tenant one of its own (uuidgen)`;
      return { file, line, path: 'ids.namespace', message };
    },
  );
}

/** A problem for each tenant that has a key of one before it. */
function repeated(
  tenants: readonly CheckedTenant[],
  keysOf: (tenant: CheckedTenant) => readonly string[],
  problem: (tenant: CheckedTenant, other: string, key: string) => PlacedProblem,
): readonly PlacedProblem[] {
  const first = new Map<string, string>();
  return tenants.flatMap((tenant) => {
    const known = keysOf(tenant).find((key) => first.has(key));
    keysOf(tenant).forEach((key) => first.has(key) || first.set(key, tenant.file));
    return known === undefined ? [] : [problem(tenant, first.get(known) ?? '', known)];
  });
}

/**
 * Reads a tenant's file with the files that it names. Its `${NAME}`s stay references.
 *
 * @throws SyncError `config-invalid` (scope `usage`) with all problems, as `loadConfig`
 */
export function readTenantFile(file: string, options: TenantOptions): TenantDefinition {
  const { definition, problems } = checkTenant(file, options);
  if (definition === null) throw configRefusal(`the tenant's file`, problems, TENANT_EXAMPLE);
  return definition;
}
