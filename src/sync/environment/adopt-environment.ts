import { SyncError } from '../../domain/errors.js';
import { ENTITIES } from '../../entities/index.js';
import { configuredEnvironments } from './check-environment.js';
import type { RunContext } from '../run-context.js';
import { withLeases } from '../lease/with-leases.js';
import { withWork } from '../run/with-work.js';

/**
 * Settles a changed environment. `keep`: the same platform under a new address or client id, nothing is sent again.
 * `reset`: another platform, so acknowledgements and references of the areas that changed are cleared.
 * Gives what was done, as a sentence. Errors: SyncError `busy`, `usage`.
 */
export async function adoptEnvironment(context: RunContext, how: 'keep' | 'reset'): Promise<string> {
  const { state, settings, emit } = context;
  const { environments } = state;
  const done = await withLeases(context, async ({ push }) => {
    const known = await environments.read();
    const configured = configuredEnvironments(settings);
    const changed = configured.filter((now) => {
      const before = known.find(({ area }) => area === now.area);
      return (
        before?.baseUrl !== now.baseUrl ||
        before.clientId !== now.clientId ||
        before.namespace !== now.namespace
      );
    });
    if (changed.length === 0) return 'The ledger belongs to this environment already; nothing to do.';
    if (how === 'reset') {
      const areas = changed.map(({ area }) => area);
      // All of the area, also what the configuration leaves out just now.
      const entities = ENTITIES.filter(({ area }) => areas.includes(area));
      const cleared = await withWork(emit, 'Forgetting what was sent', () =>
        push.fenced((fence) => environments.reset(fence, changed, entities)),
      );
      return `The ledger belongs to ${describe(changed)} now. ${cleared} records are forgotten as sent; the next run reads everything and sends it.`;
    }
    const other = changed.find((now) =>
      known.some(({ area, namespace }) => area === now.area && namespace !== now.namespace),
    );
    if (other) {
      throw new SyncError(
        'usage',
        'ids.namespace changed: the platform knows the records by ids made with the former one, so they cannot be kept.',
        {
          scope: 'usage',
          hint: 'Put the former ids.namespace back; only for another platform: adopt --environment --reset.',
        },
      );
    }
    await push.fenced((fence) => environments.keep(fence, changed));
    return `The ledger belongs to ${describe(changed)} now; everything it knows is kept.`;
  });
  if ('heldBy' in done) {
    throw new SyncError(
      'busy',
      `A run is under way: ${done.heldBy.holder}, ${done.heldBy.secondsLeft} s left unless it renews.`,
      {
        scope: 'usage',
        hint: 'Wait for its end and try again.',
      },
    );
  }
  return done.result;
}

function describe(environments: readonly { area: string; baseUrl: string; clientId: string }[]): string {
  return environments
    .map(({ area, baseUrl, clientId }) => `${baseUrl} as ${clientId} (${area})`)
    .join(' and ');
}
