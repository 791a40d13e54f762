/** How the process ends. Public interface: docs/reference/codes.md, `--help` and the summary of a run are printed from it. */
export const EXIT_CODES: readonly {
  readonly code: number;
  /** For `--help`. */
  readonly short: string;
  readonly meaning: string;
  readonly hint: string;
}[] = [
  {
    code: 0,
    short: 'complete',
    meaning: 'complete',
    hint: 'Nothing to do. With outcome `partial`, a later run sends the deferred records.',
  },
  {
    code: 1,
    short: 'failed or stopped by a signal',
    meaning: 'unexpected error, a failed query, or stopped by a signal',
    hint: 'Read the error. The next run continues.',
  },
  {
    code: 2,
    short: 'usage or configuration',
    meaning: 'usage or configuration error, schema not migrated, or another environment',
    hint: 'Nothing was done. Fix what the message names.',
  },
  {
    code: 3,
    short: 'some records need correction',
    meaning:
      'finished, but some records are invalid or rejected, or wait for a parent that is absent, invalid or rejected; `verify`: some drifted or are missing and were not repaired; `probe`: something differs',
    hint: '`status` names them, `explain` says why. Correct the data. If the platform corrected its side: `retry`.',
  },
  {
    code: 4,
    short: 'held by a guard',
    meaning: 'a guard holds an entity',
    hint: 'Look at the sample keys. Correct the source, or `approve` the entity.',
  },
  {
    code: 5,
    short:
      'sending stopped: credentials or all requests refused, platform down, a long pause, or unknown replies',
    meaning:
      'sending stopped: the platform refused our credentials, or everything for the same reason, several requests in a row failed, it asked for a long pause, or its replies are not understood',
    hint: 'Nothing is lost. Check credentials and clock, wait for the platform, or change the setting or the adapter that the message names.',
  },
  {
    code: 6,
    short: 'another run holds the lease',
    meaning: 'another run holds the lease',
    hint: 'Wait until it ends. After a kill, the lease ends by itself (`state.leaseTtl`).',
  },
  {
    code: 10,
    short: 'plan --detailed-exitcode: there are changes',
    meaning: '`plan --detailed-exitcode`: a run would send something',
    hint: 'Look at the plan, then `run`. Terraform has 2 for this; here 2 is a usage error in every command.',
  },
];
