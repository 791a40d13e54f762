import { SyncError, usageError } from '../../../core/domain/errors.js';
import { OWN_LEDGER, placeTenant } from '../fleet.js';
import { ledgerName, type FleetSettings } from './tenant-variables.js';

/** The databases of a fleet's ledgers, by name: `host:port/database`, or `fleet` for its own. */
export interface FleetLedgers {
  /** Those of `fleet.ledgers`, in its order. */
  readonly names: readonly string[];
  /** Where the ledger of a new tenant goes. */
  place(tenant: string): string;
  /** Errors: SyncError `state-unavailable` for one that is not in `fleet.ledgers` any more. */
  urlOf(ledger: string, tenant: string): string;
  /** The name of what a person calls so: a name, the database alone, or the place in the list. Errors: SyncError `usage`. */
  named(word: string): string;
}

export function fleetLedgers({ database, ledgers }: FleetSettings['fleet']): FleetLedgers {
  const own = ledgerName(database.url);
  const listed = ledgers.map((url) => ({
    url,
    name: ledgerName(url) === own ? OWN_LEDGER : ledgerName(url),
  }));
  const all = [...listed, { name: OWN_LEDGER, url: database.url }];
  const names = listed.map(({ name }) => name);
  return {
    names,
    place: (tenant) => placeTenant(tenant, names),
    urlOf(ledger, tenant) {
      const found = all.find(({ name }) => name === ledger);
      if (found) return found.url;
      throw new SyncError(
        'state-unavailable',
        `The ledger of the tenant ${tenant} is in the database ${ledger}, which is not in fleet.ledgers. Add its address there again.`,
        {
          scope: 'run',
          hint: `Before you take a database out of the list, move its tenants: placement-sync fleet move ${tenant} --to LEDGER`,
        },
      );
    },
    named(word) {
      const place = /^\d+$/.test(word) ? listed[Number(word) - 1] : undefined;
      const called = listed.filter(({ name }) => name === word || name.endsWith(`/${word}`));
      const found = place?.name ?? (called.length === 1 ? called[0]?.name : undefined);
      if (found !== undefined) return found;
      if (word === OWN_LEDGER || word === own) return OWN_LEDGER;
      const choices = [...names, OWN_LEDGER].filter((name, index, each) => each.indexOf(name) === index);
      throw usageError(
        `The fleet has ${called.length > 1 ? 'several ledger databases' : 'no ledger database'} "${word}".`,
        `Choose one of: ${choices.map((name) => `${name}${names.includes(name) ? ` (${names.indexOf(name) + 1})` : ''}`).join(', ')}`,
      );
    },
  };
}
