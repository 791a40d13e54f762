import type { TroubleKind } from './trouble-kinds.js';

/** The section of docs/runbook.md that helps with each kind of trouble: its anchor. */
export const RUNBOOK_SECTIONS: Readonly<Record<TroubleKind, string>> = {
  standstill: 'placementsyncworkerabsent',
  interrupted: 'error-codes',
  'run-failed': 'error-codes',
  'auth-refused': 'the-platform-answers-401-or-403',
  'area-stopped': 'placementsyncareastopped',
  'in-doubt': 'the-state-database-was-restored-from-an-old-backup',
  held: 'guards',
  'push-held': 'records-are-rejected-in-masses',
  failed: 'error-codes',
  stale: 'placementsyncstale',
  rejected: 'records-are-rejected-in-masses',
  drifted: 'records-differ-at-the-platform',
  unmapped: 'placementsyncinvalidgrowing',
  invalid: 'placementsyncinvalidgrowing',
  blocked: 'placementsyncwaiting',
  deferred: 'placementsyncdeferred',
};
