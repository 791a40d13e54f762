import type { Fence, LeaseName } from '../../ports/leases.js';

/**
 * SQL: the condition on a row of `lease` that it is held under `:token` and `:nonce`. Every statement of a holder
 * compares both, because a database that goes back in time hands out a token twice.
 */
export function heldLeaseSql(name: LeaseName): string {
  return `name = '${name}' and token = :token and nonce = :nonce and expires_at > clock_timestamp()`;
}

/** The parameters `:token` and `:nonce`. */
export function fenceParameters({ token, nonce }: Fence): { readonly token: string; readonly nonce: string } {
  return { token: String(token), nonce };
}
