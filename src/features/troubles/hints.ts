import type { Words } from './consequences.js';
import type { Trouble, TroubleKind } from '../../core/domain/trouble/trouble.js';

/**
 * The commands of the hint, each as its arguments. `key`: the example record; null: no record may be named, so
 * `explain` is left out.
 */
export function hintCommands(trouble: Trouble, key: string | null): readonly (readonly string[])[] {
  const explain = (entity: string) =>
    key === null ? [] : [['explain', entity, ...(key.startsWith('-') ? ['--', key] : [key])]];
  switch (trouble.kind) {
    case 'standstill':
      return [['start']];
    case 'area-stopped':
      return trouble.pausedUntil === null ? [[tryNow(trouble)]] : [];
    case 'auth-refused':
      return [[tryNow(trouble)]];
    case 'in-doubt':
      return [['verify', '--all', '--repair']];
    case 'held': {
      const { entity } = trouble.subject;
      // An approved hold needs no second approval.
      return trouble.approved
        ? []
        : [
            ['plan', '--entity', entity],
            ['approve', entity],
          ];
    }
    case 'push-held':
      return [...explain(trouble.subject.entity), ['approve', trouble.subject.entity]];
    case 'stale':
      if (trouble.held) return [['approve', trouble.subject.entity]];
      if (trouble.keptBack && !trouble.stop && !trouble.deferred) return [['status']];
      if (trouble.deferred && !trouble.stop)
        return [['records', '--status', 'deferred', '--entity', trouble.subject.entity]];
      // Beside a worker a run does nothing.
      return trouble.byWorker && !trouble.stop
        ? [['doctor', '--entity', trouble.subject.entity]]
        : [[tryNow(trouble), '--entity', trouble.subject.entity]];
    case 'drifted':
      return [['verify', '--all', '--repair', '--entity', trouble.subject.entity]];
    case 'taken-down':
      return [['retry', '--removed', '--entity', trouble.subject.entity]];
    case 'rejected':
      return [['retry', '--entity', trouble.subject.entity], ...explain(trouble.subject.entity)];
    case 'invalid':
    case 'blocked': {
      const { kind, subject, of } = trouble;
      const status = kind === 'invalid' ? kind : 'waiting';
      // Of many, no single key is of use.
      return of === undefined
        ? explain(subject.entity)
        : [['records', '--status', status, '--entity', subject.entity]];
    }
    case 'slow':
    case 'failed':
      return [['doctor', '--entity', trouble.subject.entity]];
    case 'interrupted':
    case 'run-failed':
    case 'webhook-refused':
    case 'unmapped':
    case 'deferred':
      return [];
  }
}

/** While a worker holds the leases, `run` is refused. */
function tryNow({ byWorker }: { readonly byWorker: boolean }): string {
  return byWorker ? 'retry' : 'run';
}

/**
 * In English, what comes before the commands: `The worker tries again at 18:45:07. Earlier:`. Null: no worker tries again by
 * itself, or the sentence of the trouble says when. `when` null: read later, so without the time.
 */
export function triesAgain(trouble: Trouble, when: Words['when'] | null): string | null {
  if (trouble.kind !== 'auth-refused' && trouble.kind !== 'area-stopped') return null;
  if (!trouble.byWorker || (trouble.kind === 'area-stopped' && trouble.pausedUntil !== null)) return null;
  return `The worker tries again ${trouble.retryAt && when ? when(trouble.retryAt) : 'by itself'}. Earlier:`;
}

/** The section of docs/operate.md that helps with each kind of trouble: its anchor. */
export const RUNBOOK_SECTIONS: Readonly<Record<TroubleKind, string>> = {
  standstill: 'no-worker-is-running',
  interrupted: 'the-run-failed',
  'run-failed': 'the-run-failed',
  'auth-refused': '401-or-403',
  'area-stopped': 'sending-stopped',
  'in-doubt': 'the-state-database-was-restored',
  'webhook-refused': 'webhooks-are-refused',
  held: 'held',
  'push-held': 'rejected',
  failed: 'could-not-be-read',
  stale: 'no-success-for-a-long-time',
  slow: 'reading-was-slow',
  rejected: 'rejected',
  'taken-down': 'refused-or-removed-later',
  drifted: 'differs-at-the-platform',
  unmapped: 'codes-without-an-id',
  invalid: 'invalid',
  blocked: 'waiting',
  deferred: 'deferred',
};
