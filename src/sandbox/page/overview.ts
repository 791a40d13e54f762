import type { Area } from '../../domain/area.js';
import type { FaultsReport } from '../faults/active-faults.js';
import type { JournalEntry } from '../journal.js';
import { SANDBOX_KINDS, type SandboxKind } from '../sandbox-options.js';
import type { Sandbox } from '../sandbox-state.js';

/** What the list page shows. */
export interface Overview {
  readonly nowMs: number;
  readonly folder: string | null;
  /** Name of the signature profile. */
  readonly signature: string;
  readonly clientIds: Readonly<Record<Area, string>>;
  readonly kinds: readonly { readonly kind: SandboxKind; readonly area: Area; readonly count: number }[];
  readonly faults: FaultsReport;
  /** The latest first. */
  readonly requests: readonly Readonly<JournalEntry>[];
  /** Of all requests in the journal. */
  readonly requestCount: number;
}

const SHOWN_REQUESTS = 50;

/** What there is to show of a sandbox now. */
export function overviewOf(sandbox: Sandbox): Overview {
  const kinds = Object.entries(SANDBOX_KINDS) as [SandboxKind, Area][];
  return {
    nowMs: sandbox.now(),
    folder: sandbox.folder,
    signature: sandbox.profile.name,
    clientIds: { jobs: sandbox.clients.jobs.clientId, training: sandbox.clients.training.clientId },
    kinds: kinds.map(([kind, area]) => ({ kind, area, count: sandbox.store.count(kind) })),
    faults: sandbox.faults.report(),
    requests: sandbox.journal.latest(SHOWN_REQUESTS),
    requestCount: sandbox.journal.size,
  };
}
