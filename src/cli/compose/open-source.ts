import type { LoadedConfig } from '../../core/config/load.js';
import type { Source } from '../../core/ports/source.js';
import { createPostgresSource, type PostgresSourceOptions } from '../../core/source/postgres-source.js';

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
