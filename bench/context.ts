import type { Postgres } from '../src/features/demo/postgres/start-postgres.js';
import type { Options } from './options.js';
import type { SweepWorld } from './world/open-sweep-world.js';
import type { BarePlatform } from './world/start-platform.js';

/** What every benchmark works with. */
export interface Context {
  readonly options: Options;
  readonly postgres: Postgres;
  readonly platform: BarePlatform;
  /** For configurations and the like; removed at the end. */
  readonly folder: string;
  /** A source with so many vacancies that was swept once; made when it is asked for first. */
  readonly world: (rows: number) => Promise<SweepWorld>;
}
