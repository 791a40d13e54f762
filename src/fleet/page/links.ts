import type { TenantsQuery } from './tenants-query.js';

/** Address of a tenant's page. */
export function tenantLink(name: string): string {
  return `/tenant?${new URLSearchParams({ name }).toString()}`;
}

/** Address of the first page with a list of these tenants. */
export function tenantsLink({ state, search, page }: TenantsQuery): string {
  const words = new URLSearchParams({
    ...(state === null ? {} : { state }),
    ...(search === null ? {} : { find: search }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return words === '' ? '/' : `/?${words}`;
}
