import { type AppContext, createState, type State } from '../../features/create-state.js';
import type { LoadedConfig } from '../../core/config/load.js';
import { dialectOf } from '../../core/config/schema.js';
import { signatureProfile } from '../../core/contract/signature.js';
import { warnOfShortTokens } from '../../dashboard/access.js';
import { createDashboard } from '../../dashboard/create-dashboard.js';
import { answerInTime } from '../../dashboard/shell.js';
import { SyncError } from '../../core/domain/errors.js';
import { AREAS, type EntityName } from '../../core/domain/names.js';
import { leftIn } from '../../core/domain/trouble/trouble.js';
import { readDatabaseAddress } from '../../core/runtime/database-address.js';
import { type RunningAdmin, startAdminListeners } from '../../dashboard/start-admin.js';
import { boundDatabase, type BoundDatabase } from './bound-database.js';
import { whyReadOnly } from '../../core/ledger/database/read-only.js';
import { createStateDatabase } from '../../core/ledger/database/state-database.js';
import { lookAtRecord } from '../../features/verify/verify-records.js';
import { statusReport } from '../../features/look/read-status.js';
import { gatherFacts, lastEndedRun } from '../../core/run/troubles.js';
import type { AreaWatch } from '../../features/notices/area-watch.js';
import { createMetrics, type Metrics } from '../../features/metrics/metrics.js';
import type { RunGauges } from '../../features/metrics/state-gauges.js';
import type { WebhookAdapter } from '../../features/webhook/adapted-webhook.js';
import { startWebhook } from '../../features/webhook/start-webhook.js';
import { findEnabled } from './open-doctor.js';
import { adapterDoor } from './open-platforms.js';
import { openSource } from './open-source.js';
import { checkSchema } from './open-state.js';
import { COMMIT, SHOWN_VERSION, systemClock, VERSION } from './package-info.js';

/**
 * Opens what a worker listens on: the admin listener with probes, metrics and pages, perhaps one of their own for the
 * metrics, and the public one for webhooks if secrets are configured. Whoever asks there uses connections of his own, never those of the sync.
 * Errors: SyncError `config-invalid` when it cannot listen on an address.
 */
export async function openListeners(
  config: LoadedConfig,
  context: AppContext,
  metrics: ReturnType<typeof createWorkerMetrics>,
  watch: AreaWatch,
): Promise<{ close(): Promise<void> }> {
  const { http, webhook, platform } = config.settings;
  const { state, clock, emit } = context;
  const pools = openStatePools(config);
  metrics.use(pools.metrics);
  const dashboard = openDashboard(config, context, pools, watch);
  let check: Promise<string | null> | null = null;
  const serves = {
    metrics: metrics.render,
    dashboard: dashboard.app,
    // Requests at the same time share one statement.
    notReady: () => (check ??= whyNotReady(pools).finally(() => (check = null))),
  };
  warnOfShortTokens(http.admin, emit);
  const listening = startAdminListeners(http, serves, emit);
  const admin = await closing(listening, () => Promise.allSettled([dashboard.close(), pools.close()]));
  if (webhook.secrets.length === 0) {
    emit({
      type: 'warning',
      message: 'webhook.secrets is empty, so the worker receives no job applications.',
      hint: 'Set it to the secret that the platform signs webhooks with.',
    });
    return admin;
  }
  try {
    const receiver = await startWebhook({
      ...http.public,
      ...webhook,
      adapter: await webhookAdapter(config),
      profile: signatureProfile(dialectOf(platform, 'jobs').signature.profile),
      inbox: state.inbox,
      clock,
      emit,
    });
    // Not worth failing for.
    await state.inbox.noteSilence().catch(() => undefined);
    emit({ type: 'listening', what: 'webhook', url: receiver.url });
    return { close: async () => void (await Promise.all([receiver.close(), admin.close()])) };
  } catch (error) {
    await admin.close();
    throw error;
  }
}

/** Webhooks come from the job-placement area. Null: no adapter, or it has no function for them. */
async function webhookAdapter(config: LoadedConfig): Promise<WebhookAdapter | null> {
  const door = adapterDoor(config, 'jobs');
  const { clientId, timeoutMs } = config.settings.platform.jobs ?? {};
  if (door === null || clientId === undefined || timeoutMs === undefined) return null;
  const functions = await door.functions();
  // One that cannot be loaded takes no webhook: nobody knows what it would say.
  if (!('failure' in functions) && !functions.includes('webhook')) return null;
  return { door, clientId, timeoutMs };
}

/** How long a probe waits for the state database, milliseconds; the kubelet waits for five seconds. */
const PROBE_MS = 4_000;

/** Anybody may read it, so it names no host, port or role of the database. Null: ready. */
async function whyNotReady({ probes }: StatePools): Promise<string | null> {
  try {
    return await answerInTime(PROBE_MS, new AbortController().signal, async (signal) => {
      const database = probes(signal);
      await checkSchema(database);
      return (await whyReadOnly(database))?.message ?? null;
    });
  } catch (error) {
    if (!(error instanceof SyncError) || error.code !== 'schema-not-migrated')
      return 'The state database cannot be used.';
    return [error.message, error.hint ?? ''].join(' ').trim();
  }
}

/** The listener; it closes `also` with itself, or at once when it cannot be opened. */
async function closing(opening: Promise<RunningAdmin>, also: () => Promise<unknown>): Promise<RunningAdmin> {
  try {
    const { url, close } = await opening;
    return { url, close: async () => void (await Promise.all([close(), also()])) };
  } catch (error) {
    await also();
    throw error;
  }
}

/** At the source: connections of all pages, pages that may wait for one, and their longest statement, milliseconds. */
const CONNECTIONS = 2;
const MAX_WAITING = 20;
const STATEMENT_MS = 10_000;

/** The dashboard. It has its own connections to the source, opened by the first page that needs one. */
function openDashboard(
  config: LoadedConfig,
  context: AppContext,
  pools: Pick<StatePools, 'pages' | 'actions'>,
  watch: AreaWatch,
) {
  const { http, source: partner, notify, webhook } = config.settings;
  const isReadable = findEnabled(config);
  const source = openSource(config, {
    poolMax: CONNECTIONS,
    maxWaiting: MAX_WAITING,
    statementTimeoutMs: Math.min(STATEMENT_MS, partner.statementTimeoutMs),
  });
  const acting = { ...context, source, state: pools.actions };
  const sourceAddress = readDatabaseAddress(partner.url);
  const app = createDashboard({
    ...http.admin,
    context: acting,
    stateUntil: pools.pages,
    sourceName: sourceAddress && 'database' in sourceAddress ? sourceAddress.database : null,
    canLook: isReadable,
    look: (entity, key) => lookAtRecord(acting, entity, key, isReadable),
    watch,
    version: SHOWN_VERSION,
    staleAfterMs: notify.staleAfterMs,
    receivesWebhooks: webhook.secrets.length > 0,
  });
  return { app, close: () => source.close() };
}

/** The state for a caller that waits until the signal aborts. */
type StateUntil = (signal: AbortSignal) => State;

type StatePools = ReturnType<typeof openStatePools>;

interface Limits {
  /** Connections, and transactions at a time. */
  readonly connections: number;
  readonly maxWaiting: number;
  /** The server ends a statement then, milliseconds. Absent: as for the sync. */
  readonly statementTimeoutMs?: number;
  /** The server gives up waiting for a lock then, milliseconds. Absent: as for the sync. */
  readonly lockTimeoutMs?: number;
  readonly closeGraceMs?: number;
}

/** The overview alone makes a dozen queries at once. The answer to more would come too late. */
const PAGES: Limits = {
  connections: 2,
  maxWaiting: 30,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 3_000,
};

/** Queries run one after the other, once for all scrapes at the same time. */
const METRICS: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 5_000, lockTimeoutMs: 2_000 };

/** The kubelet waits for five seconds. */
const PROBES: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 3_000, lockTimeoutMs: 2_000 };

/** Marking a million records takes long. At shutdown it gets a short time to finish. */
const ACTIONS: Limits = { connections: 1, maxWaiting: 20, closeGraceMs: 2_000 };

/**
 * The state database for pages, metrics and probes. Each has its own connections, opened by its first query: they must not
 * take those of the sync, and a page must not take those of a probe.
 */
function openStatePools({ settings }: LoadedConfig) {
  const bound = ({ connections, maxWaiting, closeGraceMs, ...limits }: Limits): BoundDatabase =>
    boundDatabase(createStateDatabase({ ...settings.state, ...limits, poolMax: connections }), {
      places: connections,
      maxWaiting,
      ...(closeGraceMs === undefined ? {} : { closeGraceMs }),
    });
  const [pages, metrics, probes, actions] = [bound(PAGES), bound(METRICS), bound(PROBES), bound(ACTIONS)];
  return {
    pages: (signal: AbortSignal) => createState(pages.until(signal)),
    metrics: (signal: AbortSignal) => createState(metrics.until(signal)),
    probes: (signal: AbortSignal) => probes.until(signal),
    /** For the buttons: an action goes on when the client leaves. */
    actions: createState(actions.until()),
    async close() {
      await Promise.allSettled([pages, metrics, probes, actions].map((each) => each.close()));
    },
  };
}

/** Metrics of a worker, made before its state is open so that they count every event. */
export function createWorkerMetrics(
  names: readonly EntityName[],
  periodMs?: number,
): Metrics & { use(stateUntil: StateUntil): void } {
  let opened: StateUntil | null = null;
  const metrics = createMetrics({
    version: VERSION,
    commit: COMMIT,
    entities: names,
    ...(periodMs === undefined ? {} : { periodMs }),
    now: () => systemClock.now(),
    read: (signal) =>
      opened === null ? Promise.resolve({ entities: {}, lastRun: null }) : reading(opened(signal), names),
  });
  return {
    ...metrics,
    use(stateUntil) {
      opened = stateUntil;
    },
  };
}

async function reading(state: State, names: readonly EntityName[]) {
  const facts = await gatherFacts(state, {
    now: new Date(),
    entities: names,
    counts: (name) => state.records.counts(name),
    storedAreas: state.areaStates,
    worker: true,
  });
  const { entities } = await statusReport(facts, state);
  const left = Object.fromEntries(AREAS.map((area) => [area, leftIn(facts, area)]));
  const ended = await lastEndedRun(state);
  const lastRun: RunGauges | null =
    ended?.finishedAt && ended.exitCode !== null
      ? {
          startedAt: ended.startedAt.toISOString(),
          finishedAt: ended.finishedAt.toISOString(),
          exitCode: ended.exitCode,
          entities: ended.entities,
        }
      : null;
  const pausedUntil = Object.fromEntries(
    facts.areas.flatMap(({ area, stop }) => (stop?.pausedUntil ? [[area, stop.pausedUntil]] : [])),
  );
  const learnedRates = Object.fromEntries(facts.learnedRates.map(({ area, learned }) => [area, learned]));
  return { entities, lastRun, left, pausedUntil, learnedRates };
}
