import type { LoadedConfig } from '../../config/load.js';
import type { Source } from '../../ports/source.js';
import { createPostgresSource } from '../../source/create-postgres-source.js';

/** The partner's database; connects when it is first read. */
export function openSource({ settings }: LoadedConfig): Source {
  const { url, poolMax, statementTimeoutMs, timeZone, rowSecurity } = settings.source;
  return createPostgresSource({
    url,
    poolMax,
    statementTimeoutMs,
    timeZone,
    rowSecurity,
    platformTimeZone: settings.platform.timeZone,
  });
}
