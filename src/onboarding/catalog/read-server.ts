import type { CatalogServer } from './catalog.js';
import type { ReadOnly } from './with-read-only.js';

/** Who we are, and on which server. */
export async function readServer({ run }: ReadOnly): Promise<CatalogServer> {
  const [row] = await run<{
    version: string;
    database: string;
    role: string;
    superuser: boolean;
    bypasses: boolean;
    zone: string;
    encoding: string;
    replica: boolean;
    encrypted: boolean | null;
    extensions: string[];
  }>(
    `select current_setting('server_version_num') as version, cast(current_database() as text) as database,
       cast(current_user as text) as role, r.rolsuper as superuser, r.rolbypassrls as bypasses,
       current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding,
       pg_is_in_recovery() as replica,
       (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
       array(select cast(extname as text) from pg_extension order by extname) as extensions
     from pg_roles r where r.rolname = current_user`,
  );
  if (row === undefined) throw new Error('pg_roles does not have the current role');
  return {
    versionNumber: Number(row.version),
    database: row.database,
    role: row.role,
    superuser: row.superuser,
    bypassesRowSecurity: row.superuser || row.bypasses,
    timeZone: row.zone,
    encoding: row.encoding,
    replica: row.replica,
    encrypted: row.encrypted ?? false,
    extensions: row.extensions,
  };
}
