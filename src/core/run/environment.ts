import { SyncError, usageError } from '../domain/errors.js';
import { type Area, RECORD_STATUSES } from '../domain/names.js';
import { ENTITIES } from '../entities/index.js';
import type { PlatformEnvironment } from '../ledger/entity-states.js';
import type { CoreState } from '../ledger/core-state.js';
import { withLeases, withWork } from '../leases.js';
import type { RunContext, RunSettings } from '../context.js';

/**
 * The environment of a ledger: which platform it belongs to. Before anything is sent, the configuration is compared
 * with it, because one platform's acknowledgements and references mean nothing to another. `adopt --environment`
 * settles a change.
 */

interface EnvironmentContext extends Pick<RunContext, 'settings'> {
  readonly state: Pick<CoreState, 'environments'>;
}

const SAME_PLATFORM =
  'The same platform under a new address or client id: placement-sync adopt --environment --keep.';
/** The platform knows the records by ids made with the former namespace, so `--keep` is refused. */
const SAME_PLATFORM_OTHER_IDS = 'The same platform: put the former ids.namespace back.';
const OTHER_PLATFORM =
  'Another platform (sandbox, production): placement-sync adopt --environment --reset, or a state.schema of its own.';

export function configuredEnvironments(settings: RunSettings): readonly PlatformEnvironment[] {
  return Object.entries(settings.areas).map(([area, { baseUrl, clientId }]) => ({
    area: area as Area,
    baseUrl: normalizedUrl(baseUrl),
    clientId,
    namespace: settings.ids.namespace.toLowerCase(),
  }));
}

/** What differs between the ledger's environment and the configured one, one sentence each. */
export function environmentDifferences(
  known: readonly PlatformEnvironment[],
  configured: readonly PlatformEnvironment[],
): readonly string[] {
  return configured.flatMap((now) => {
    const before = known.find(({ area }) => area === now.area);
    if (!before) return [];
    const lines = [
      before.baseUrl !== now.baseUrl &&
        `platform.${now.area}.baseUrl is ${now.baseUrl}, but this ledger belongs to ${before.baseUrl}.`,
      before.clientId !== now.clientId &&
        `platform.${now.area}.clientId is ${now.clientId}, but this ledger belongs to ${before.clientId}.`,
      before.namespace !== now.namespace &&
        `ids.namespace is ${now.namespace}, but the ids of this ledger were made with ${before.namespace}.`,
    ];
    return lines.filter((line) => line !== false);
  });
}

/**
 * Refuses to continue when the ledger belongs to another platform; stores an area seen for the first time.
 * Errors: SyncError `environment-changed`.
 */
export async function checkEnvironment(context: EnvironmentContext): Promise<void> {
  const { state, settings } = context;
  const known = await refuseOtherEnvironment(context);
  const unknown = ({ area }: PlatformEnvironment) => !known.some((one) => one.area === area);
  await state.environments.add(configuredEnvironments(settings).filter(unknown));
}

/** The same, but writes nothing. Gives the environments that the ledger knows. */
export async function refuseOtherEnvironment({
  state,
  settings,
}: EnvironmentContext): Promise<readonly PlatformEnvironment[]> {
  const configured = configuredEnvironments(settings);
  const known = await state.environments.read();
  const differences = environmentDifferences(known, configured);
  if (differences.length > 0) {
    throw new SyncError('environment-changed', differences.join('\n'), {
      scope: 'usage',
      hint: `Nothing was sent. ${hasOtherIds(known, configured) ? SAME_PLATFORM_OTHER_IDS : SAME_PLATFORM} ${OTHER_PLATFORM}`,
    });
  }
  return known;
}

/** Normalised: no trailing slash, host in lower case, no default port. */
function normalizedUrl(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

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
    const changed = changedEnvironments(known, configuredEnvironments(settings));
    if (changed.length === 0) return 'The ledger already belongs to this environment. Nothing to do.';
    if (how === 'reset') {
      const areas = changed.map(({ area }) => area);
      // The whole area, also entities that are not configured now.
      const entities = ENTITIES.filter(({ area }) => areas.includes(area));
      const cleared = await withWork(emit, 'Clearing acknowledgements', () =>
        push.fenced((fence) => environments.reset(fence, changed, entities)),
      );
      return `The ledger now belongs to ${describe(changed)}. ${cleared} records are no longer acknowledged; the next run reads and sends everything.`;
    }
    if (hasOtherIds(known, changed)) {
      throw usageError(
        'ids.namespace changed, so --keep is not possible: the platform knows the records by their former ids.',
        'Restore the former ids.namespace. For another platform: adopt --environment --reset.',
      );
    }
    await push.fenced((fence) => environments.keep(fence, changed));
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

function hasOtherIds(
  known: readonly PlatformEnvironment[],
  configured: readonly PlatformEnvironment[],
): boolean {
  return configured.some((now) =>
    known.some(({ area, namespace }) => area === now.area && namespace !== now.namespace),
  );
}

function describe(environments: readonly { area: string; baseUrl: string; clientId: string }[]): string {
  return environments
    .map(({ area, baseUrl, clientId }) => `${baseUrl} as ${clientId} (${area})`)
    .join(' and ');
}
