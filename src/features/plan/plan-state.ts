import { RECORD_STATUSES, type RecordStatus } from '../../core/domain/names.js';
import { ABSENT_ENTITY_STATE } from '../../core/domain/entity-state.js';
import type { EntityStates } from '../../core/ledger/entity-states.js';
import type { Forecasts } from './forecasts.js';
import type { Records } from '../../core/ledger/records.js';
import type { ReadState } from '../../core/sweep/read-changes.js';

/** What a plan reads of the state; it writes nothing. */
export interface PlanState extends ReadState {
  readonly entityStates: Pick<EntityStates, 'read'>;
  readonly records: Pick<Records, 'counts'>;
  readonly forecasts: Forecasts;
}

/** The state before there is a ledger: every record is new, and no application came by webhook. */
export function withoutLedger(): PlanState {
  const none = { count: 0, sum0: '0', sum1: '0', unversioned: 0, invalid: 0 };
  return {
    ledger: {
      digest: () => Promise.resolve(none),
      bucketDigests: () => Promise.resolve(new Map()),
      entries: nothing,
      notes: () => Promise.resolve(new Map()),
      payloads: () => Promise.resolve(new Map()),
    },
    inbox: {
      knownApplications: () => Promise.resolve(new Set()),
    },
    entityStates: {
      read: (entity) => Promise.resolve({ entity, ...ABSENT_ENTITY_STATE }),
    },
    records: {
      counts: () => Promise.resolve({ ...noRecords(), expired: 0, blocked: 0, oldestPendingAt: null }),
    },
    forecasts: {
      standings: () => Promise.resolve([]),
      waiting: nothing,
      invalid: nothing,
    },
  };
}

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable without pages
async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

function noRecords(): Readonly<Record<RecordStatus, number>> {
  return Object.fromEntries(RECORD_STATUSES.map((status) => [status, 0])) as Record<RecordStatus, number>;
}
