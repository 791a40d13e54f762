import type { Hold, PushHold } from '../../core/domain/guard.js';

type GuardName = Hold['guard'] | PushHold['guard'];

/** One entry per guard: docs/reference/codes.md is printed from it, and a guard without an entry does not compile. */
export const GUARD_TEXTS: Readonly<
  Record<
    GuardName,
    {
      /** Its setting; null: it has none. */
      readonly setting: string | null;
      readonly stops: string;
      /** What to look at first, and what to do. */
      readonly hint: string;
    }
  >
> = {
  'other-source': {
    setting: null,
    stops:
      'The rows come from another server or another database than those of the last sweep that was applied. The message says which. A replica, a fail-over to it, a new host name and a pooler are the same server.',
    hint: 'Are `source.url` and `state.url` right? A copy for tests, or the database of another customer: put the address back, and the next sweep ends the hold. You moved, restored or upgraded the database, and it has the same records: `approve`.',
  },
  'empty-source': {
    setting: null,
    stops: 'The query returned no row, and the ledger has records.',
    hint: 'Usually the database, the schema or the WHERE is wrong. If the entity really is empty now: `approve`.',
  },
  'max-vanished-count': {
    setting: 'guards.maxVanishedCount',
    stops: 'More records vanished in one sweep than this number.',
    hint: 'Look for some of the keys in your tables. If the query or the key column changed: correct it. If about as many new keys came, the keys were renewed: an `approve` creates every record a second time, so select a column that stays (a code) as the key. If the records are really gone: `approve`.',
  },
  'max-vanished-percent': {
    setting: 'guards.maxVanishedPercent',
    stops: 'More than this share of the records vanished in one sweep (judged from 5 records on).',
    hint: 'As above.',
  },
  'max-invalid-percent': {
    setting: 'guards.maxInvalidPercent',
    stops:
      'More than this share of the records was valid and is invalid now; or one sweep takes the invalid share of all rows, with new ones, beyond it (judged from 5 records in the ledger on, so not at the first sweep).',
    hint: '`plan` groups what is wrong, `explain` shows it for a key. Usually a lookup file was cut short, a column became null, or rows of another kind came. Correct it. To send the valid rows all the same: `approve`. The invalid ones stay back, and the same ones hold no later sweep.',
  },
  'max-changed-percent': {
    setting: 'guards.maxChangedPercent',
    stops:
      'More than this share of the records that stayed valid has other content in one sweep (judged from 100 records on, 20 of which stayed valid; never after a change of the query, the lookups or the mapping settings, nor under `resync`). Not where all that differs is one field, the keys are the same, and the field is not the name, the title, the status or the parent.',
    hint: 'Is `source.url` still the same database? Another customer’s database with the same keys looks like this: correct the address. The message says which fields differ, `plan --diff` shows them. If the source really changed so much: `approve`.',
  },
  'max-rejected-in-a-row': {
    setting: 'guards.maxRejectedInARow',
    stops:
      'The platform rejected this many records in a row and has accepted none since you last changed the query, lookups or settings. Sweeps go on. Nothing of the entity is sent.',
    hint: '`explain` a key: the reply names the field. Correct the query or the lookups: the hold ends by itself. If the platform corrected its side: `approve`.',
  },
};
