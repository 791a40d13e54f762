import { join } from 'node:path';
import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { createDatabase } from './create-database.js';
import type { QueryKind } from './queries.js';
import { sourceTables } from './source-tables.js';
import { runTool, type ToolRun } from './tool.js';
import { writeConfig, type ConfigOptions } from './write-config.js';

export type Topology = 'same' | 'other';

/** A source that was swept once, and whose records the platform has acknowledged. */
export interface SweepWorld {
  readonly rows: number;
  readonly url: string;
  /** The run that filled the ledger. */
  readonly firstLoad: ToolRun;
  /** The ledger has no statistics and no visibility map yet, and staging its dead rows. */
  readonly isFresh: () => boolean;
  /** A configuration with other settings than usual. */
  config(options?: Partial<ConfigOptions>): string;
  /** One `run` by the query in use; nothing is sent. */
  run(topology: Topology): Promise<ToolRun>;
  /** Makes this the query in use, with a sweep of every row if it was another one. The ledger is as after a vacuum then. */
  use(query: QueryKind): Promise<void>;
  /** Copies the ledger into another database, as it is. `run('other')` uses it. */
  copyState(): Promise<void>;
}

export interface SweepWorldOptions {
  readonly rows: number;
  readonly postgres: Postgres;
  readonly baseUrl: string;
  readonly folder: string;
}

/** 401 ends a push at once, so a run is its sweep. */
const REFUSED = [0, 5];

export async function openSweepWorld(options: SweepWorldOptions): Promise<SweepWorld> {
  const { rows, postgres, baseUrl, folder } = options;
  const name = `bench_${rows}`;
  const url = await createDatabase(postgres, name);
  await withClient(url, async (client) => {
    for (const sql of sourceTables(rows)) await client.query(sql);
  });
  let query: QueryKind = 'versioned';
  let fresh = true;
  const stateUrls: Record<Topology, string> = { same: url, other: postgres.url(`${name}_state`) };
  const config = (other: Partial<ConfigOptions> = {}) =>
    writeConfig({
      folder: join(folder, `${rows}-${query}-${Object.keys(other).join('-')}`),
      ...{ sourceUrl: url, stateUrl: url, baseUrl, vacancies: query, ratePerSecond: null, concurrency: 16 },
      ...other,
    });
  const run = (topology: Topology) =>
    runTool(['run'], {
      config: config({ stateUrl: stateUrls[topology] }),
      ...{ postgres: postgres.pid, expect: REFUSED },
    });
  const onState = (...statements: string[]) =>
    withClient(url, async (client) => {
      for (const sql of statements) await client.query(sql);
    });

  await runTool(['migrate'], { config: config(), postgres: postgres.pid });
  const firstLoad = await run('same');
  await onState(...ACKNOWLEDGE);

  return {
    ...{ rows, url, firstLoad, config, run },
    isFresh: () => fresh,
    async use(next) {
      if (next !== query) {
        query = next;
        await run('same');
        await onState(...ACKNOWLEDGE);
      }
      await onState('vacuum analyze');
      fresh = false;
    },
    copyState: async () => void (await createDatabase(postgres, `${name}_state`, name)),
  };
}

/** What pushing every record would leave, without its dead rows. */
const ACKNOWLEDGE = [
  `update placement_sync.sync_state set reference = md5(key)::uuid::text, remote_id = md5(key)::uuid::text, acknowledged_hash = desired_hash,
     acknowledged_at = now(), acknowledged_parent_platform_id = parent_platform_id, attempted_at = now()
   where acknowledged_hash is distinct from desired_hash`,
  'truncate placement_sync.area_state',
  'vacuum full placement_sync.sync_state',
];
