import type { RunContext, RunState } from '../../core/context.js';
import { usageError, SyncError } from '../../core/domain/errors.js';
import { RECORD_STATUSES } from '../../core/domain/names.js';
import { ENTITIES } from '../../core/entities/index.js';
import { withLeases, withWork } from '../../core/leases.js';
import type { PlatformEnvironment } from '../../core/ledger/entity-states.js';
import { configuredEnvironments, hasOtherIds, environmentDifferences } from '../../core/run/environment.js';
import type { Adoptions } from './adoptions.js';

interface AdoptContext extends RunContext {
  readonly state: RunState & { readonly adoptions: Adoptions };
}

/**
 * Settles a changed environment. `keep`: the same platform under a new address or client id, nothing is sent again.
 * `reset`: another platform, so acknowledgements and references of the areas that changed are cleared.
 * Gives what was done, as a sentence. Errors: SyncError `busy`, `usage`.
 */
export async function adoptEnvironment(context: AdoptContext, how: 'keep' | 'reset'): Promise<string> {
  const { state, settings, emit } = context;
  const { environments, adoptions } = state;
  const done = await withLeases(context, async ({ push }) => {
    const known = await environments.read();
    const changed = changedEnvironments(known, configuredEnvironments(settings));
    if (changed.length === 0) return 'The ledger already belongs to this environment. Nothing to do.';
    if (how === 'reset') {
      const areas = changed.map(({ area }) => area);
      // The whole area, also entities that are not configured now.
      const entities = ENTITIES.filter(({ area }) => areas.includes(area));
      const cleared = await withWork(emit, 'Clearing acknowledgements', () =>
        push.fenced((fence) => adoptions.reset(fence, changed, entities)),
      );
      return `The ledger now belongs to ${describe(changed)}. ${cleared} records are no longer acknowledged; the next run reads and sends everything.`;
    }
    if (hasOtherIds(known, changed)) {
      throw usageError(
        'ids.namespace changed, so --keep is not possible: the platform knows the records by their former ids.',
        'Restore the former ids.namespace. For another platform: adopt --environment --reset.',
      );
    }
    await push.fenced((fence) => adoptions.keep(fence, changed));
    return `The ledger now belongs to ${describe(changed)}. All its data is kept.`;
  });
  if ('heldBy' in done) {
    throw new SyncError(
      'busy',
      `A run is under way: ${done.heldBy.holder} holds the lease, valid for ${done.heldBy.secondsLeft} s.`,
      { scope: 'usage', hint: 'Wait until it ends, then try again.' },
    );
  }
  return done.result;
}

/**
 * What `--reset` would forget, as sentences; none where the ledger belongs to this environment already, or where the
 * ledger has no record of an area that changed.
 */
export async function forgottenByReset({
  state,
  settings,
}: Pick<RunContext, 'state' | 'settings'>): Promise<readonly string[]> {
  const known = await state.environments.read();
  const configured = configuredEnvironments(settings);
  const areas = changedEnvironments(known, configured).map(({ area }) => area);
  const counts: string[] = [];
  for (const { name } of ENTITIES.filter(({ area }) => areas.includes(area))) {
    const counted = await state.records.counts(name);
    const records = RECORD_STATUSES.reduce((all, status) => all + counted[status], 0);
    if (records > 0) counts.push(`${records} ${name}`);
  }
  if (counts.length === 0) return [];
  return [
    ...environmentDifferences(known, configured),
    `--reset forgets what the former platform accepted of ${counts.join(', ')}, with its references. The next run sends everything to the platform of the configuration.`,
  ];
}

function changedEnvironments(
  known: readonly PlatformEnvironment[],
  configured: readonly PlatformEnvironment[],
): readonly PlatformEnvironment[] {
  const isNew = ({ area }: PlatformEnvironment) => !known.some((before) => before.area === area);
  return configured.filter((now) => isNew(now) || environmentDifferences(known, [now]).length > 0);
}

export function describe(
  environments: readonly { area: string; baseUrl: string; clientId: string }[],
): string {
  return environments
    .map(({ area, baseUrl, clientId }) => `${baseUrl} as ${clientId} (${area})`)
    .join(' and ');
}
