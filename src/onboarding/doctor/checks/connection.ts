import { generalCheck } from '../check.js';
import { fail, pass } from '../finding.js';

export const connection = generalCheck({
  id: 'connection',
  levels: ['fail'],
  looksAt: 'whether the source can be reached with `source.url`',
  remedy: 'Check host, port, database, user and password in `source.url`, and pg_hba.conf of the server.',
  judge({ source, settings }) {
    if ('cause' in source) return [fail(source.cause, source.hint ?? 'Check source.url.')];
    const { server, tables } = source.value;
    const zone = settings.source.sessionTimeZone ?? server.timeZone;
    return [
      pass(
        `Postgres ${majorVersion(server.versionNumber)}, database ${server.database}, role ${server.role}, ${tables.length} tables and views; the session's time zone is ${zone}`,
      ),
    ];
  },
});

function majorVersion(number: number): string {
  return `${Math.floor(number / 10_000)}.${number % 10_000}`;
}
