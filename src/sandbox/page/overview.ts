import type { Area, EntityName } from '../../domain/names.js';
import { ENTITIES } from '../../entities/index.js';
import type { FaultsReport } from '../faults/active-faults.js';
import type { JournalEntry } from '../journal.js';
import type { Sandbox } from '../sandbox-state.js';

/** What the list page shows. */
export interface Overview {
  readonly nowMs: number;
  readonly folder: string | null;
  /** Names of the signature profiles. */
  readonly signatures: Readonly<Record<Area, string>>;
  readonly clientIds: Readonly<Record<Area, string>>;
  readonly kinds: readonly { readonly kind: EntityName; readonly area: Area; readonly count: number }[];
  readonly faults: FaultsReport;
  /** As they were written. */
  readonly deviations: object;
  /** The latest first. */
  readonly requests: readonly Readonly<JournalEntry>[];
  /** Of all requests in the journal. */
  readonly requestCount: number;
}

const SHOWN_REQUESTS = 50;

/** What there is to show of a sandbox now. */
export function overviewOf(sandbox: Sandbox): Overview {
  return {
    nowMs: sandbox.now(),
    folder: sandbox.folder,
    signatures: {
      jobs: sandbox.deviations.dialect('jobs').profile.name,
      training: sandbox.deviations.dialect('training').profile.name,
    },
    clientIds: { jobs: sandbox.clients.jobs.clientId, training: sandbox.clients.training.clientId },
    kinds: ENTITIES.map(({ name, area }) => ({ kind: name, area, count: sandbox.store.count(name) })),
    faults: sandbox.faults.report(),
    deviations: sandbox.deviations.report(),
    requests: sandbox.journal.latest(SHOWN_REQUESTS),
    requestCount: sandbox.journal.size,
  };
}
