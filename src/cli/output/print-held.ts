import type { EntityName } from '../../domain/names.js';
import type { Consequence, Hold, PushHold } from '../../domain/guard.js';
import { consequenceLines } from './consequence-lines.js';
import { say } from './write.js';

/** Why the entity is held, and what an approval does, for the person who approves. */
export function printHeld(
  entity: EntityName,
  holds: readonly (Hold | PushHold | null)[],
  consequences: readonly Consequence[],
): void {
  for (const hold of holds) {
    if (hold === null) continue;
    const keys = hold.sampleKeys.length === 0 ? '' : ` Keys: ${hold.sampleKeys.join(', ')}.`;
    say(`${entity} is held: ${hold.message}${keys}`);
  }
  for (const line of consequenceLines(consequences, entity)) say(line);
}
