/**
 * What the fleet uses of pg-boss 12. The package is optional and absent on Node below 22.12, so the code is compiled against
 * this declaration, also where the package is there.
 */
declare module 'pg-boss' {
  /** Limits a call to the attempt that was fetched: it leaves alone a job that was given to somebody else. */
  export interface JobAttempt {
    readonly id: string;
    /** Grows each time the job is fetched again. */
    readonly retryCount: number;
  }

  export interface FetchedJob extends JobAttempt {
    readonly data: unknown;
  }

  export interface FoundJob {
    readonly singletonKey: string | null;
    readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  }

  /** Where statements run: a pool, or one transaction. */
  export interface Database {
    executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  }

  export interface QueueOptions {
    readonly heartbeatSeconds: number;
    readonly expireInSeconds: number;
    readonly retryLimit: number;
    readonly retryDelay: number;
    readonly deleteAfterSeconds: number;
  }

  export interface BossOptions {
    /** Where all statements run; whoever made it closes it. */
    readonly db: Database;
    readonly schema: string;
    readonly useListenNotify: boolean;
    /** Makes jobs of schedules; default true. */
    readonly schedule?: boolean;
    readonly superviseIntervalSeconds?: number;
    readonly monitorIntervalSeconds?: number;
    readonly maintenanceIntervalSeconds?: number;
    /** Looks for tables that are not vacuumed; default true. */
    readonly monitorVacuum?: boolean;
  }

  export class PgBoss {
    constructor(options: BossOptions);
    on(event: 'error' | 'warning', listener: (told: unknown) => void): this;
    start(): Promise<this>;
    stop(options: { readonly graceful: boolean; readonly close: boolean }): Promise<void>;
    /** Does nothing when the queue is there. */
    createQueue(name: string, options: QueueOptions & { readonly policy: 'exclusive' }): Promise<void>;
    updateQueue(name: string, options: QueueOptions): Promise<void>;
    /** Null: the queue's policy refused it. */
    send(
      name: string,
      data: object,
      options: {
        readonly singletonKey: string;
        /** Seconds. */
        readonly startAfter?: number;
        /** The highest comes first; default 0. */
        readonly priority?: number;
        readonly db?: Database;
      },
    ): Promise<string | null>;
    /** Changes jobs that wait. `data` undefined: it stays. `startAfter`: seconds. */
    update(
      name: string,
      data: undefined,
      options: { readonly singletonKey: string; readonly startAfter: number },
    ): Promise<{ readonly updated: number }>;
    fetch(name: string, options: { readonly batchSize: number }): Promise<FetchedJob[]>;
    complete(
      name: string,
      attempt: JobAttempt,
      output: null,
      options?: { readonly db?: Database },
    ): Promise<unknown>;
    /** `settled`: ids of those that are still active in this attempt. */
    touch(name: string, attempts: JobAttempt[]): Promise<{ readonly settled?: readonly string[] }>;
    findJobs(name: string, options: { readonly key?: string }): Promise<FoundJob[]>;
    /** One statement; leaves out what the queue's policy refuses. */
    insert(
      name: string,
      jobs: { readonly data: object; readonly singletonKey: string }[],
      options: { readonly db: Database },
    ): Promise<unknown>;
  }
}
