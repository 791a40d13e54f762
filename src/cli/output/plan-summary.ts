import type { PlannedActions } from '../../sync/plan/plan-entity.js';

/** `1 create, 2 update, 1 close, 18 with errors`: what a run would do, without what it would not. Pure. */
export function planSummary(actions: PlannedActions): string {
  const parts = [
    counted(actions.create, 'create'),
    counted(actions.update, 'update'),
    counted(actions.close, 'close'),
    counted(actions.delete, 'delete'),
    counted(actions.before, 'pending from before'),
    counted(actions.waiting, actions.waiting === 1 ? 'waits for its parent' : 'wait for their parents'),
    counted(actions.kept, 'vanished (the platform keeps them)'),
    counted(actions.held, 'held back by a guard'),
    counted(actions.invalid, 'with errors'),
  ].filter((part) => part !== null);
  return [...(sentBy(actions) === 0 ? ['nothing to send'] : []), ...parts].join(', ');
}

/** How many records a run would send. Pure. */
export function sentBy({ create, update, close, delete: deleted, before }: PlannedActions): number {
  return create + update + close + deleted + before;
}

function counted(count: number, what: string): string | null {
  return count === 0 ? null : `${count.toLocaleString('en-US')} ${what}`;
}
