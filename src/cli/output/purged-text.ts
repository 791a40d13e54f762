import type { PurgedTenant } from '../../ports/tenants.js';

/** What `fleet remove --purge` did: whether the ledger is deleted, or else where it stays, why, and what to do. Pure. */
export function purgedText(name: string, { schema, ledger, other }: PurgedTenant): string {
  switch (ledger) {
    case 'deleted':
      return `${name} is removed, and its ledger is deleted.`;
    case 'none':
      return `${name} is removed. No ledger was deleted: the schema "${schema}" of the fleet’s database has none.`;
    case 'of-another':
      return `${name} is removed. Its ledger stays, the schema "${schema}" of the fleet’s database: the tenant "${other ?? ''}" has this schema too. If the ledger of ${other ?? ''} is in another database, drop the schema yourself.`;
    case 'elsewhere':
      return (
        `${name} is removed. Its ledger stays, the schema "${schema}" in the database of its state.url: only a ledger of a file without state.url is deleted. ` +
        (other === null
          ? 'If nobody needs it, drop the schema there.'
          : `Before you drop the schema there, check that it is not the ledger of the tenant "${other}", which has this schema too.`)
      );
  }
}
