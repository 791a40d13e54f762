import type { LoadedConfig } from '../../config/load.js';
import type { AreaWatch } from '../../service/dashboard/area-watch.js';
import { createDashboard } from '../../service/dashboard/create-dashboard.js';
import { createState } from '../../state/create-state.js';
import { createStateDatabase } from '../../state/state-database.js';
import type { RunDependencies } from '../../sync/run-dependencies.js';
import { entityPlans } from './entity-plans.js';
import { openSource } from './open-source.js';
import { VERSION } from './package-info.js';
import { runSettings } from './run-settings.js';

/** Connections to each database that pages may use at once: looking must not take those that the sync works with. */
const CONNECTIONS = 2;

/** Longest statement of a page, milliseconds. */
const STATEMENT_MS = 10_000;

/** The dashboard on connections of its own, opened when somebody looks. */
export function openDashboard(
  config: LoadedConfig,
  { state, clock, emit, holder }: RunDependencies,
  watch: AreaWatch,
): { readonly app: ReturnType<typeof createDashboard>; close(): Promise<void> } {
  const { http, state: database, source: partner, notify, platform, webhook } = config.settings;
  const looking = createState(
    createStateDatabase({
      ...database,
      poolMax: CONNECTIONS,
      statementTimeoutMs: STATEMENT_MS,
      lockTimeoutMs: STATEMENT_MS,
    }),
  );
  const source = openSource({
    ...config,
    settings: {
      ...config.settings,
      source: {
        ...partner,
        poolMax: CONNECTIONS,
        statementTimeoutMs: Math.min(STATEMENT_MS, partner.statementTimeoutMs),
      },
    },
  });
  const app = createDashboard({
    host: http.admin.host,
    token: http.admin.token,
    state: looking,
    actingState: state,
    source,
    plans: entityPlans(config),
    settings: runSettings(config),
    watch,
    clock,
    emit,
    holder,
    version: VERSION,
    timeZone: platform.timeZone,
    staleAfterMs: notify.staleAfterMs,
    receivesWebhooks: webhook.secrets.length > 0,
  });
  return {
    app,
    async close() {
      await Promise.allSettled([looking.close(), source.close()]);
    },
  };
}
