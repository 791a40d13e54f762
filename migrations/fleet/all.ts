import * as operatorAction from '../0007-operator-action.js';
import type { SchemaMigration } from '../all.js';
import * as tenants from './0001-tenants.js';
import * as learnedRate from './0002-learned-rate.js';
import * as due from './0003-due.js';
import * as ledgers from './0005-ledgers.js';
import * as places from './0006-places.js';
import * as suspects from './0007-suspects.js';
import * as claims from './0008-claims.js';

/** Of the fleet's own schema, in the order in which they run. */
export const FLEET_MIGRATIONS: readonly SchemaMigration[] = [
  { name: '0001-tenants', ...tenants },
  { name: '0002-learned-rate', ...learnedRate },
  { name: '0003-due', ...due },
  // The same table as in a ledger.
  { name: '0004-operator-action', ...operatorAction },
  { name: '0005-ledgers', ...ledgers },
  { name: '0006-places', ...places },
  { name: '0007-suspects', ...suspects },
  { name: '0008-claims', ...claims },
];
