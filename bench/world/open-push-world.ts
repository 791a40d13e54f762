import { join } from 'node:path';
import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { createDatabase } from './create-database.js';
import { companyTable } from './company-table.js';
import { runTool, type ToolOptions, type ToolRun } from './tool.js';
import { writeConfig } from './write-config.js';

/** A source with companies whose bodies have 2 KB, and a ledger of its own. */
export interface PushWorld {
  readonly url: string;
  run(options?: Partial<ToolOptions>): Promise<ToolRun>;
  /** Makes every record pending, as it was before it was sent first. */
  rearm(): Promise<void>;
}

export interface PushWorldOptions {
  readonly name: string;
  readonly count: number;
  readonly postgres: Postgres;
  readonly baseUrl: string;
  readonly folder: string;
  /** Null: no limit. */
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
}

export async function openPushWorld(options: PushWorldOptions): Promise<PushWorld> {
  const { name, count, postgres, baseUrl, ratePerSecond, concurrency } = options;
  const url = await createDatabase(postgres, name);
  const onDatabase = (statements: readonly string[]) =>
    withClient(url, async (client) => {
      for (const sql of statements) await client.query(sql);
    });
  await onDatabase(companyTable(count, PIECES));
  const config = writeConfig({
    folder: join(options.folder, name),
    ...{ sourceUrl: url, stateUrl: url, baseUrl, vacancies: null, ratePerSecond, concurrency },
  });
  const run = (other: Partial<ToolOptions> = {}) =>
    runTool(['run'], { config, postgres: postgres.pid, ...other });
  await runTool(['migrate'], { config, postgres: postgres.pid });
  return { url, run, rearm: () => onDatabase(REARM) };
}

/** Of 32 letters each. */
const PIECES = 55;

const REARM = [
  `update placement_sync.sync_state set reference = null, remote_id = null, acknowledged_hash = null, acknowledged_at = null,
     acknowledged_payload = null, acknowledged_reply = null, attempted_at = null, last_request_id = null,
     last_status_code = null, last_error = null, confirm_at = null`,
  'truncate placement_sync.delivery, placement_sync.area_state',
  'vacuum full analyze placement_sync.sync_state',
];
