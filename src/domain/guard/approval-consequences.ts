import type { HoldCounts } from './hold.js';
import type { VanishedSettings } from './vanished-policy.js';

/** One thing that an approval causes, and how many records it is about. */
export type Consequence =
  | { readonly does: 'close'; readonly count: number; readonly status: string }
  | {
      readonly does: 'create-again' | 'delete' | 'mark-vanished' | 'update' | 'mark-invalid';
      readonly count: number;
    }
  /** The number is null where records are not counted. */
  | { readonly does: 'send-again'; readonly count: number | null };

/** What was held. */
export interface Approvable {
  /** Of the sweep that a guard stopped; null: no guard holds it. */
  readonly sweep: HoldCounts | null;
  /** Rejected records of an entity whose push is held, as far as they were counted; null: its push is not held. */
  readonly push: { readonly rejected: number | null } | null;
}

/**
 * What happens at the platform and in the ledger when a held entity is approved: the one answer that `approve`, the
 * dashboard, `plan`, `run`, `status` and notices give. `settings`: those in effect now, because the next sweep uses
 * them; null: not known, then nothing is said about vanished records. What the platform sees comes first. Pure.
 */
export function approvalConsequences(
  { sweep, push }: Approvable,
  settings: VanishedSettings | null,
): readonly Consequence[] {
  const { renewed = 0, changed = 0 } = sweep ?? {};
  return [
    ...(renewed > 0 ? [{ does: 'create-again', count: renewed } as const] : []),
    ...(changed > 0 ? [{ does: 'update', count: changed } as const] : []),
    ...(sweep && sweep.vanished > 0 && settings ? ofVanished(sweep.vanished, settings) : []),
    ...(push ? [{ does: 'send-again', count: push.rejected } as const] : []),
    ...(sweep && sweep.invalid > 0 ? [{ does: 'mark-invalid', count: sweep.invalid } as const] : []),
  ];
}

function ofVanished(count: number, { onVanished, closedStatus }: VanishedSettings): readonly Consequence[] {
  switch (onVanished) {
    case 'close':
      return [{ does: 'close', count, status: closedStatus }];
    case 'delete':
      return [{ does: 'delete', count }];
    case 'report':
      return [{ does: 'mark-vanished', count }];
    // It is never marked, and no guard counts it. A hold from before the setting was changed ends with the next sweep.
    case 'ignore':
      return [];
  }
}
