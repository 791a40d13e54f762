import type { EntityName } from '../../domain/entity-name.js';
import type { Claim, Queue } from '../../ports/queue.js';

/** Records of a push whose reply was not understood. */
export interface UnreadRecords {
  note(claim: Pick<Claim, 'entity' | 'key'>): void;
  /** The push ends and a setting is to blame: with it, the next run sends them at once. */
  makeDue(queue: Pick<Queue, 'makeDue'>): Promise<void>;
}

export function createUnreadRecords(): UnreadRecords {
  const keys = new Map<EntityName, string[]>();

  return {
    note({ entity, key }) {
      const among = keys.get(entity) ?? [];
      among.push(key);
      keys.set(entity, among);
    },
    async makeDue(queue) {
      for (const [entity, among] of keys) await queue.makeDue(entity, among);
    },
  };
}
