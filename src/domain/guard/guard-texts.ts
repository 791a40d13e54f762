import type { Hold, PushHold } from './hold.js';

export type GuardName = Hold['guard'] | PushHold['guard'];

/** One entry per guard: docs/runbook.md is printed from it, and a guard without an entry does not compile. */
export const GUARD_TEXTS: Readonly<
  Record<
    GuardName,
    {
      /** Its setting; null: it has none. */
      readonly setting: string | null;
      readonly stops: string;
      /** What to look at first, and what to do. */
      readonly cure: string;
    }
  >
> = {
  'empty-source': {
    setting: null,
    stops: 'The query returned no row, and the ledger has records.',
    cure: 'Usually a wrong database, schema or WHERE. If the entity really has become empty: `approve`.',
  },
  'max-vanished-count': {
    setting: 'guards.maxVanishedCount',
    stops: 'More records vanished in one sweep than this number.',
    cure: 'Look for a few of the keys in your tables. A changed query or key column: put it right. Really gone: `approve`.',
  },
  'max-vanished-percent': {
    setting: 'guards.maxVanishedPercent',
    stops: 'More than this share of the records vanished in one sweep (judged from 5 records on).',
    cure: 'As above.',
  },
  'max-invalid-percent': {
    setting: 'guards.maxInvalidPercent',
    stops: 'More than this share of the records was valid and is invalid now (judged from 5 records on).',
    cure: 'Usually a lookup file that was cut short, or a column that became null. Mend it; `explain` one of the keys.',
  },
  'max-rejected-in-a-row': {
    setting: 'guards.maxRejectedInARow',
    stops:
      'The platform refused so many records in a row and has accepted none under this query, lookups and settings. Sweeps go on, sending of the entity stops.',
    cure: '`explain` a key: the reply says which field. Mend query or lookups, and the hold ends by itself; mended at the platform: `approve`.',
  },
};
