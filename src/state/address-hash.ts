import { type AddressPads, hmacSql } from '../ports/source.js';
import type { Statements } from './database/state-database.js';

/**
 * The keyed hash of an applicant's address: HMAC-SHA256, with the secret of this schema, of the md5 of the address in lower
 * case. Only who has the secret knows whose it is. The secret was made by the migration, is in one row of the schema and
 * in no configuration: it is the same after every change of credentials, and another one in every schema.
 */

/** SQL: of the address that the expression gives; null of null. */
export function addressHashSql(address: string): string {
  const hash = hmacSql(`md5(lower(${address}))`, { inner: 'inner_pad', outer: 'outer_pad' });
  return `(select ${hash} from :schema:.address_secret)`;
}

/** What a reader of the source needs to make the same hash. */
export async function readAddressPads(statements: Statements): Promise<AddressPads> {
  const [pads] = await statements.query<AddressPads>(
    `select encode(inner_pad, 'hex') as inner, encode(outer_pad, 'hex') as outer from :schema:.address_secret`,
  );
  if (!pads) throw new TypeError('The schema has no address_secret.');
  return pads;
}
