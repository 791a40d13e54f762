import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { connectionMemory } from '../measure/connection-memory.js';
import { childrenCpuTime, cpuTime } from '../measure/cpu-time.js';
import { memoryOf } from '../measure/memory-of.js';
import type { FleetWorld } from '../world/open-fleet-world.js';

export interface Watched {
  readonly seconds: number;
  /** Of tenants, that ended. */
  readonly runs: number;
  /** Of the database of the fleet and its ledgers. */
  readonly statements: number;
  /** Those of them that begin and end transactions, and set what counts in one. */
  readonly control: number;
  /** Of each replica, seconds. */
  readonly cpu: readonly number[];
  readonly postgresCpu: number;
  /** Of each replica at the end, and the most until then, MB. */
  readonly memory: readonly number[];
  readonly most: readonly number[];
  /** Of the largest connection of Postgres at the end, MB. */
  readonly connection: number;
}

export interface FleetWatch {
  during(work: () => Promise<unknown>): Promise<Watched>;
  /** Ends the replicas. */
  close(): Promise<void>;
}

const STATEMENTS = `select sum(s.calls) from statistics.pg_stat_statements s join pg_database d on d.oid = s.dbid
  where d.datname ~ '^bench_fleet(_[0-9]+)?$'`;
const CONTROL = `${STATEMENTS} and s.query ~* '^(begin|set local|select pg_catalog.set_config|commit|rollback)'`;

/** Starts so many replicas, and looks at them from outside. */
export async function openFleetWatch(options: {
  readonly world: FleetWorld;
  readonly postgres: Postgres;
  readonly replicas: number;
}): Promise<FleetWatch> {
  const { world, postgres } = options;
  let runs = 0;
  const onLine = (line: string): void => {
    if (/Run .* ends/.test(line)) runs += 1;
  };
  const replicas = Array.from({ length: options.replicas }, () => world.start(['start'], onLine));
  await Promise.all(replicas.map((replica) => replica.line(/Listening for admin/)));
  const now = async () => ({
    at: performance.now() / 1_000,
    runs,
    statements: await world.number(STATEMENTS),
    control: await world.number(CONTROL),
    cpu: replicas.map(({ pid }) => cpuTime(pid)),
    postgresCpu: childrenCpuTime(postgres.pid),
  });
  return {
    async during(work) {
      const before = await now();
      await work();
      const after = await now();
      const memory = replicas.map(({ pid }) => memoryOf(pid));
      return {
        seconds: after.at - before.at,
        runs: after.runs - before.runs,
        statements: after.statements - before.statements,
        control: after.control - before.control,
        cpu: after.cpu.map((used, index) => used - (before.cpu[index] ?? NaN)),
        postgresCpu: after.postgresCpu - before.postgresCpu,
        memory: memory.map((each) => each.now),
        most: memory.map((each) => each.most),
        connection: connectionMemory(postgres.pid),
      };
    },
    close: async () => void (await Promise.all(replicas.map((replica) => replica.stop()))),
  };
}
