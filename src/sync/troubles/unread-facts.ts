import type { EntityName } from '../../domain/names.js';
import { NOTHING_KNOWN, type RunFacts, type TroubleFacts } from '../../domain/trouble/trouble.js';
import { entity as entityNamed } from '../../entities/index.js';

const UNKNOWN = {
  hold: null,
  pushHold: null,
  approval: null,
  lastSuccessAt: null,
  lastSweepAt: null,
  inDoubtSince: null,
};

/** What a run itself knows, when the state database cannot be read. */
export function unreadFacts(entities: readonly EntityName[], run: RunFacts): TroubleFacts {
  const known = entities.map((name) => {
    const { area } = entityNamed(name);
    return {
      name,
      area,
      parent: null,
      state: UNKNOWN,
      counts: null,
      reasons: null,
      deferral: null,
      vanished: null,
    };
  });
  return { ...NOTHING_KNOWN, entities: known, run };
}
