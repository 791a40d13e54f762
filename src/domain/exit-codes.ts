/** How the process ends, and what each code tells the operator. Public interface. */
export const EXIT_CODES: readonly {
  readonly code: number;
  readonly meaning: string;
  readonly next: string;
}[] = [
  {
    code: 0,
    meaning: 'complete',
    next: 'Nothing to do. Outcome `partial`: deferred records are sent by a later run.',
  },
  {
    code: 1,
    meaning: 'unexpected, an entity’s query failed, or stopped by a signal',
    next: 'Read the error; the next run continues.',
  },
  {
    code: 2,
    meaning: 'usage or configuration, unmigrated schema, another environment',
    next: 'Mend what is named; nothing was done.',
  },
  {
    code: 3,
    meaning:
      'finished; some records invalid or rejected, or waiting for a parent that is absent, invalid or rejected; `verify`: some drifted or missing and not repaired',
    next: '`status` names them, `explain` says why. Mend the data; after a mend at the platform, `retry`.',
  },
  {
    code: 4,
    meaning: 'an entity is held by a guard',
    next: 'Look at the sample keys. Mend the source, or `approve` the entity.',
  },
  {
    code: 5,
    meaning: 'the platform refused authentication, its breaker is open, or it asked for a long pause',
    next: 'Nothing is lost. Check credentials and clock, or wait for the platform.',
  },
  {
    code: 6,
    meaning: 'another run holds the lease',
    next: 'Wait for its end; after a kill, for the lease time.',
  },
];
