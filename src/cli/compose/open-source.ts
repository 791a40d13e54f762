import type { LoadedConfig } from '../../config/load.js';
import type { Source } from '../../ports/source.js';
import { createPostgresSource, type PostgresSourceOptions } from '../../source/postgres-source.js';

/** The partner's database; connects at the first read. `limits` replace the settings. */
export function openSource(
  { settings }: LoadedConfig,
  limits: Partial<Pick<PostgresSourceOptions, 'poolMax' | 'maxWaiting' | 'statementTimeoutMs'>> = {},
): Source {
  const { url, poolMax, statementTimeoutMs, timeZone, sessionTimeZone, rowSecurity } = settings.source;
  return createPostgresSource({
    url,
    poolMax,
    statementTimeoutMs,
    timeZone,
    sessionTimeZone,
    rowSecurity,
    platformTimeZone: settings.platform.timeZone,
    ...limits,
  });
}
