/** What is fixed for a kind of trouble. */
export interface KindOfTrouble {
  /** Of a run that ends with it. 0: it does not change the exit code. */
  readonly exitCode: 0 | 1 | 3 | 4 | 5;
  /** Whether a human should look immediately. */
  readonly urgent: boolean;
  /** Whether it ends without a human. */
  readonly passes: boolean;
}

/**
 * Everything that may be wrong, the most pressing first. A kind that is added here needs its texts in both languages
 * (`text/`) before it compiles.
 */
export const TROUBLE_KINDS = {
  /** No process holds a lease. For a worker only: between two runs of a CronJob this is normal. */
  standstill: { exitCode: 0, urgent: true, passes: false },
  /** A signal ended the run. */
  interrupted: { exitCode: 1, urgent: false, passes: true },
  /** The run itself failed: a lost database or lease, counts that do not add up, a defect. */
  'run-failed': { exitCode: 1, urgent: true, passes: false },
  /** The platform answered 401 or 403, or what a rule of the configuration reads so. */
  'auth-refused': { exitCode: 5, urgent: true, passes: false },
  /** Nothing more is sent to the area for now: a redirect, failures in a row, a long pause, replies that are not understood. */
  'area-stopped': { exitCode: 5, urgent: true, passes: false },
  /** The state database went back in time. */
  'in-doubt': { exitCode: 0, urgent: true, passes: false },
  /** A guard holds the sweep. */
  held: { exitCode: 4, urgent: true, passes: false },
  /** Rejections in a row stopped the push. */
  'push-held': { exitCode: 4, urgent: true, passes: false },
  /** The entity could not be read. */
  failed: { exitCode: 1, urgent: true, passes: false },
  /** No success for longer than `notify.staleAfter`. */
  stale: { exitCode: 0, urgent: false, passes: false },
  rejected: { exitCode: 3, urgent: false, passes: false },
  /** A read-back found that the platform lacks records, or holds something else than it accepted. */
  drifted: { exitCode: 3, urgent: false, passes: false },
  /** Codes that no lookup knows. */
  unmapped: { exitCode: 3, urgent: false, passes: false },
  invalid: { exitCode: 3, urgent: false, passes: false },
  /** Records wait for a parent that does not come by itself. */
  blocked: { exitCode: 3, urgent: false, passes: false },
  /** Attempts failed; the worker tries again. */
  deferred: { exitCode: 0, urgent: false, passes: true },
} as const satisfies Readonly<Record<string, KindOfTrouble>>;

export type TroubleKind = keyof typeof TROUBLE_KINDS;
