import { openEngine } from '../../compose/fleet/open-engine.js';
import { say } from '../../output/write.js';
import { tenantsCommand, unknownTenant } from './fleet-command.js';

/** Puts a tenant in the line now. */
export const fleetSync = tenantsCommand(async ({ tenants }, { fleet, emit, words: [name = ''] }) => {
  const found = await tenants.read(name);
  if (found === null) throw unknownTenant(name);
  const { enabled, paused, lane } = found.summary;
  if (!enabled || paused) {
    say(
      paused
        ? `${name} is paused. First: placement-sync fleet resume ${name}`
        : `${name} is switched off by its file (tenant.enabled). Change the file, and apply it.`,
    );
    return 2;
  }
  const queue = await openEngine(fleet, emit);
  try {
    const sent = await queue.send(name, lane);
    say(
      sent
        ? `${name} is in the line. The next free replica runs it; placement-sync fleet status shows how it goes.`
        : `${name} is in the line already, or runs now.`,
    );
    return 0;
  } finally {
    await queue.close();
  }
});
