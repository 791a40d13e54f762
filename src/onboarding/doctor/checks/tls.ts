import { isLoopback } from '../../../runtime/loopback.js';
import { generalCheck } from '../check.js';
import { pass, warn } from '../finding.js';
import { judged } from '../learned.js';

export const tls = generalCheck({
  id: 'tls',
  levels: ['warn'],
  looksAt: 'whether the connection to the source is encrypted, unless it stays on this computer',
  remedy:
    'Add `sslmode=verify-full` to `source.url`, with `sslrootcert` for a certificate of your own authority.',
  judge: ({ source, settings }) =>
    judged(source, ({ server }) => {
      if (server.encrypted) return [pass('the connection to the source is encrypted')];
      const host = hostOf(settings.source.url);
      if (host === null || isLoopback(host)) return [pass('not encrypted; the source is on this computer')];
      return [
        warn(
          'the connection to the source is not encrypted: everybody on the way can read the password and the data',
          'Add sslmode=verify-full to source.url (docs/network.md).',
        ),
      ];
    }),
});

/** Null: a Unix socket. */
function hostOf(url: string): string | null {
  try {
    const { hostname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? decodeURIComponent(hostname);
    return host === '' || host.startsWith('/') ? null : host;
  } catch {
    return null;
  }
}
