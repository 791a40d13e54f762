import type { TenantDefinition } from '../../ports/tenants.js';
import { configRefusal } from '../config-refusal.js';
import { TENANT_EXAMPLE } from '../examples.js';
import { checkTenant, type TenantOptions } from './check-tenant.js';

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
