import type { SyncEvent } from '../../domain/events.js';

/** Something that is under way and may take long. */
export interface Work {
  /** Such as `Reading companies`. */
  readonly name: string;
  readonly done: number;
  /** Null: nobody knows. */
  readonly total: number | null;
  /** Milliseconds on the clock that `trackWork` was given. */
  readonly began: number;
}

export interface WorkTracker {
  apply(event: SyncEvent): void;
  /** What began last of what is under way; null: nothing is. */
  current(): Work | null;
}

/** Follows the events, and knows what is under way. `now` gives milliseconds that never go back. */
export function trackWork(now: () => number): WorkTracker {
  const works = new Map<string, Work>();
  /** Areas that are pushed or read back side by side share one work. */
  let areas = 0;
  let shared = '';

  const begin = (name: string, total: number | null) =>
    works.set(name, { name, total, done: 0, began: now() });
  const change = (name: string, part: (work: Work) => Partial<Work>) => {
    const work = works.get(name);
    if (work) works.set(name, { ...work, ...part(work) });
  };

  const beginArea = (name: string, due: number) => {
    areas += 1;
    shared = name;
    if (due === 0) return;
    if (works.has(name)) change(name, ({ total }) => ({ total: (total ?? 0) + due }));
    else begin(name, due);
  };
  const endArea = () => {
    areas = Math.max(areas - 1, 0);
    if (areas === 0) works.delete(shared);
  };
  const advance = () =>
    change(shared, ({ done, total }) => ({ done: done + 1, total: Math.max(total ?? 0, done + 1) }));

  return {
    current: () => [...works.values()].at(-1) ?? null,
    apply(event) {
      switch (event.type) {
        case 'work-started':
          begin(event.work, event.total);
          break;
        case 'work-advanced':
          change(event.work, () => ({ done: event.done }));
          break;
        case 'work-ended':
          works.delete(event.work);
          break;
        case 'sweep-started':
          begin(reading(event.entity), null);
          break;
        case 'sweep-progress':
          change(reading(event.entity), () => ({ done: event.read }));
          break;
        case 'sweep-finished':
        case 'entity-failed':
          works.delete(reading(event.entity));
          break;
        case 'push-started':
          beginArea('Sending', event.due);
          break;
        case 'read-back-started':
          beginArea('Reading back', event.due);
          break;
        case 'record-sent':
          if (event.outcome !== 'handed-back') advance();
          break;
        case 'record-read-back':
          advance();
          break;
        case 'push-finished':
        case 'read-back-finished':
          endArea();
          break;
        case 'run-failed':
        case 'command-failed':
        case 'run-finished':
          areas = 0;
          works.clear();
          break;
        default:
      }
    },
  };
}

function reading(entity: string): string {
  return `Reading ${entity}`;
}
