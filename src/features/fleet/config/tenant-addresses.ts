import { ofThisMachine, readDatabaseAddress } from '../../../core/runtime/database-address.js';
import { hostInAddress, isLoopback } from '../../../core/runtime/loopback.js';
import type { Reach } from '../../../core/config/load.js';
import { createReach } from './reach.js';
import type { Problem } from '../../../core/config/problem.js';
import { settingsSchema } from '../../../core/config/schema.js';
import { type FleetSettings, textsOf } from './tenant-variables.js';

/** A fleet whose own database is on this machine is there to try it out, so the platform may be here, too. */
export function tenantReach({ database, allowedNetworks }: FleetSettings['fleet']): Reach {
  const own = readDatabaseAddress(database.url);
  const isHere =
    own !== null && 'host' in own && (own.host.startsWith('/') || isLoopback(hostInAddress(own.host)));
  return createReach(allowedNetworks ?? (isHere ? ['127.0.0.0/8', '::1'] : []));
}

/** What is wrong with the addresses of a tenant's file, wherever they stand; one with references as far as it is known. */
export function addressProblems(data: unknown, reach: Reach | undefined): readonly Problem[] {
  return textsOf(settingsSchema, data).flatMap(({ path, text }) => {
    const message = wrongForTenant(text, reach);
    return message === null ? [] : [{ path, message }];
  });
}

/** Null: nothing, or the text is no address. */
export function wrongForTenant(text: string, reach?: Reach): string | null {
  const database = readDatabaseAddress(text);
  const taken = database !== null && 'host' in database ? ofThisMachine(database) : null;
  if (taken !== null)
    return `must not have ${taken}, which is of the replicas; for a certificate authority of your own, NODE_EXTRA_CA_CERTS of the replicas counts`;
  const isOther = /^(https?|smtps?):\/\//i.test(text) && URL.canParse(text);
  const refused = isOther ? reach?.refusedHost(new URL(text).hostname) : null;
  return refused
    ? `leads to ${refused}, in a network that no tenant may reach unless fleet.allowedNetworks has it`
    : null;
}
