/**
 * What people write without a tool, as fairly as it goes: SELECT everything, hash every row, look its last hash up, and
 * send what differs, one record after the other. In a process of its own; prints the seconds of its work, without its
 * start.
 */
import { createHash, randomUUID } from 'node:crypto';
import { v5 } from 'uuid';
import { signatureProfile } from '../../src/core/contract/signature.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { signedHeaders, type Signer } from '../../src/core/platform/http-platform.js';
import { timed } from '../measure/timed.js';

export interface SyncByHand {
  readonly databaseUrl: string;
  /** Null: only the hashes are stored. */
  readonly baseUrl: string | null;
  readonly sql: string;
  /** `{id}` stands for the platform id. */
  readonly path: string;
}

const { databaseUrl, baseUrl, sql, path } = JSON.parse(process.argv[2] ?? '') as SyncByHand;
const NAMESPACE = '2f0a3c0e-6d5b-4c1e-9a65-7c2f4e1b8d90';
const signer: Signer = {
  ...{ clientId: 'bench', clientSecret: 'bench', profile: signatureProfile('digest-lines') },
  userAgent: 'bench',
  headers: {},
};

const seconds = await timed(() =>
  withClient(databaseUrl, async (client) => {
    await client.query('create table if not exists by_hand (key text primary key, hash text not null)');
    const { rows } = await client.query<Record<string, unknown> & { key: string }>(sql);
    for (const row of rows) {
      const text = JSON.stringify(row);
      const hash = createHash('sha256').update(text).digest('hex');
      const known = await client.query<{ hash: string }>({
        ...{ name: 'look-up', text: 'select hash from by_hand where key = $1', values: [row.key] },
      });
      if (known.rows[0]?.hash === hash) continue;
      if (baseUrl !== null) await send(baseUrl, row.key, Buffer.from(text, 'utf8'));
      await client.query({
        name: 'store',
        text: 'insert into by_hand values ($1, $2) on conflict (key) do update set hash = excluded.hash',
        values: [row.key, hash],
      });
    }
  }),
);
console.log(seconds);

async function send(base: string, key: string, body: Buffer): Promise<void> {
  const url = new URL(`${base}${path.replace('{id}', v5(key, NAMESPACE))}`);
  const headers = signedHeaders(signer, {
    ...{ method: 'PUT', requestTarget: url.pathname, requestId: randomUUID(), now: Date.now() },
    body,
  });
  const reply = await fetch(url, { method: 'PUT', headers, body });
  if (!reply.ok) throw new Error(`${reply.status}`);
  await reply.json();
}
