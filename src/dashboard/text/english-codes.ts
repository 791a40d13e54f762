/** What the program has a code for, in English. */
export const ENGLISH_CODES = {
  guards: {
    'empty-source': 'The query returned nothing, although records were there before.',
    'max-vanished-percent': 'Too large a share of the records is no longer in the source.',
    'max-vanished-count': 'Too many records are no longer in the source.',
    'max-invalid-percent': 'Too large a share of the records is invalid.',
    'max-rejected-in-a-row':
      'The platform refused one record after the other; sending of this entity is stopped.',
  },
  issueCodes: {
    required: 'is missing',
    format: 'is not written as it must be',
    type: 'is of another type',
    range: 'is out of range',
    unmapped: 'has a code that no lookup knows',
    undecided: 'has a code without an id',
    'unknown-parent': 'names no known parent',
    refused: 'was refused',
  },
  /** What ended the sweep or the push of an entity. */
  errorCodes: {
    'query-failed': 'The query failed.',
    'column-contract': 'The query returns a column too many, one of them twice, or lacks one.',
    'null-key': 'The query returns rows without a key.',
    'duplicate-key': 'The query returns a record more than once.',
    'key-order': 'The database returned keys in another order than it was asked for.',
    'row-security': 'Row-level security would hide rows, and hidden rows look like deleted ones.',
    'source-unavailable': 'The source cannot be reached.',
    'authentication-refused': 'The platform does not accept our requests (401 or 403).',
    redirected: 'The platform answered with a redirect, which a signed request never follows.',
    'breaker-open': 'The platform does not answer as it should.',
    'long-pause': 'The platform asked for a long pause, or for one pause after the other.',
  },
  areaCures: {
    'authentication-refused':
      'Check the clock of this machine, client id and secret, and whether the platform lets its address in.',
    redirected: 'Set the base URL to the address that answers directly, and start the worker again.',
    'breaker-open': 'See whether the platform is known to be down, and whether this machine reaches it.',
    'long-pause': 'Wait. If it happens often, lower ratePerSecond.',
  },
};
