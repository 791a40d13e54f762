import type { EntityName } from '../../domain/names.js';
import type { Emit } from '../../domain/events.js';

/** Notes which entities were read to their end, and passes all events on. */
export function watchRead(emit: Emit): { readonly emit: Emit; readonly read: ReadonlySet<EntityName> } {
  const read = new Set<EntityName>();
  return {
    emit(event) {
      if (event.type === 'sweep-finished') read.add(event.entity);
      emit(event);
    },
    read,
  };
}
