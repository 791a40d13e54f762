import { SyncError } from '../domain/errors.js';
import type { Area } from '../domain/names.js';
import type { PlatformEnvironment } from '../ledger/entity-states.js';
import type { CoreState } from '../ledger/core-state.js';
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

export function hasOtherIds(
  known: readonly PlatformEnvironment[],
  configured: readonly PlatformEnvironment[],
): boolean {
  return configured.some((now) =>
    known.some(({ area, namespace }) => area === now.area && namespace !== now.namespace),
  );
}
