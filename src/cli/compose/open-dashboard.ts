import type { LoadedConfig } from '../../config/load.js';
import { createDashboard } from '../../dashboard/create-dashboard.js';
import type { AreaWatch } from '../../sync/troubles.js';
import type { RunContext } from '../../sync/run-context.js';
import type { Looking } from './open-looking.js';
import { openSource } from './open-source.js';
import { VERSION } from './package-info.js';

/** Connections to the source that pages may use at once. They must not take those of the sync. */
const CONNECTIONS = 2;

/** Pages that may wait for one. More are refused, because their answer would come too late. */
const MAX_WAITING = 20;

/** Longest statement of a page at the source, milliseconds. */
const STATEMENT_MS = 10_000;

/** The dashboard. It has its own connections to the source, opened by the first page that needs one. */
export function openDashboard(
  config: LoadedConfig,
  { settings, entities, clock, emit, holder }: RunContext,
  looking: Pick<Looking, 'pages' | 'actions'>,
  watch: AreaWatch,
): { readonly app: ReturnType<typeof createDashboard>; close(): Promise<void> } {
  const { http, source: partner, notify, platform, webhook } = config.settings;
  const source = openSource(config, {
    poolMax: CONNECTIONS,
    maxWaiting: MAX_WAITING,
    statementTimeoutMs: Math.min(STATEMENT_MS, partner.statementTimeoutMs),
  });
  const app = createDashboard({
    host: http.admin.host,
    token: http.admin.token,
    stateUntil: looking.pages,
    actingState: looking.actions,
    source,
    entities,
    settings,
    watch,
    clock,
    emit,
    holder,
    version: VERSION,
    runbookUrl: http.admin.runbookUrl,
    timeZone: platform.timeZone,
    staleAfterMs: notify.staleAfterMs,
    receivesWebhooks: webhook.secrets.length > 0,
  });
  return { app, close: () => source.close() };
}
