import { createServer, type Server } from 'node:https';
import { expect, test } from 'vitest';
import { listen } from '../loopback.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { addCompanies, createCliWorld } from './cli-world.js';
import { join } from 'node:path';

test('a certificate that expires during a run stops the area with its reason, and nothing is lost or rejected', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 14);
  const authority = makeAuthority('Authority of the platform');
  const good = authority.issue();
  const expired = authority.issue(true);
  let answered = 0;
  // Passes requests on to the sandbox; every reply ends its connection, and after the third the certificate is another.
  const server: Server = createServer({ key: good.key, cert: good.certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void fetch(`${world.sandbox.url}${request.url ?? ''}`, {
        method: request.method ?? '',
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' && !/^(host|connection|content-length|accept-encoding)$/.test(name)
            ? [[name, value] as [string, string]]
            : [],
        ),
        body: Buffer.concat(chunks),
      }).then(async (reply) => {
        const body = await reply.text();
        answered += 1;
        if (answered === 3) server.setSecureContext({ key: expired.key, cert: expired.certificate });
        response.writeHead(reply.status, { Connection: 'close' }).end(body);
      });
    });
  });
  const { port } = await listen(server);
  world.write('authority.pem', authority.certificate);
  world.env.NODE_EXTRA_CA_CERTS = join(world.folder, 'authority.pem');
  world.env.BASE_URL = `https://127.0.0.1:${port}`;
  world.configure('ratePerSecond: null', 'ratePerSecond: null\n    concurrency: 1');

  const { code, entities, stderr } = await world.run();
  expect(code, stderr).toBe(5);
  expect(entities.companies).toMatchObject({ accepted: 3, rejected: 0, error: { code: 'breaker-open' } });
  expect(entities.companies?.error?.message).toContain('certificate has expired (CERT_HAS_EXPIRED)');
  expect(stderr).toContain('The certificate of the platform is not trusted. Check the clock');
  const [left] = await world.sql(
    `select count(*)::int as count from placement_sync.sync_state
     where refused_hash is null and acknowledged_hash is null and confirm_at is null and claim_token is null`,
  );
  expect(left, 'to be sent by a later run, and surely not sent before').toEqual({ count: 11 });
});
