import { TENANT_STATES, type TenantState } from '../tenant-state.js';
import type { TenantReport } from '../tenant-report.js';

/** What the address of the first page asks for. */
export interface TenantsQuery {
  /** Null: of any state. */
  readonly state: TenantState | null;
  /** A part of the name; null: any. */
  readonly search: string | null;
  /** From 1 on. */
  readonly page: number;
}

/** Tenants on one page. */
export const PAGE_SIZE = 100;

/** Longest text that is searched for: names are no longer. */
const LONGEST = 60;

/** Reads an address. Null: it names something that does not exist. Pure. */
export function readTenantsQuery(query: URLSearchParams): TenantsQuery | null {
  const asked = query.get('state') ?? '';
  const state = TENANT_STATES.find((name) => name === asked) ?? null;
  const page = query.get('page') ?? '1';
  if ((state === null && asked !== '') || !/^[1-9]\d{0,5}$/.test(page)) return null;
  const search = (query.get('find') ?? '').trim().slice(0, LONGEST).toLowerCase();
  return { state, search: search || null, page: Number(page) };
}

/** The tenants that an address asks for, in the order given, and how many match in all. Pure. */
export function chooseTenants(
  tenants: readonly TenantReport[],
  { state, search, page }: TenantsQuery,
): { readonly shown: readonly TenantReport[]; readonly matching: number } {
  const matching = tenants.filter(
    (tenant) =>
      (state === null || tenant.state === state) && (search === null || tenant.name.includes(search)),
  );
  return { shown: matching.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), matching: matching.length };
}
