import type { SyncEvent } from '../../domain/events.js';

/** Work that may take long. */
export interface Work {
  /** Such as `Reading companies`. */
  readonly name: string;
  readonly done: number;
  /** Null: unknown. */
  readonly total: number | null;
  /** Milliseconds on the clock that `trackWork` was given. */
  readonly began: number;
}

export interface WorkTracker {
  apply(event: SyncEvent): void;
  /** The work under way that began last; null: none. */
  current(): Work | null;
}

/** Follows the events to know what is under way. `now` gives milliseconds that never go back. */
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

  const endAll = () => {
    areas = 0;
    works.clear();
  };

  const handlers: Handlers = {
    'work-started': ({ work, total }) => begin(work, total),
    'work-advanced': ({ work, done }) => change(work, () => ({ done })),
    'work-ended': ({ work }) => works.delete(work),
    'sweep-started': ({ entity }) => begin(reading(entity), null),
    'sweep-progress': ({ entity, read }) => change(reading(entity), () => ({ done: read })),
    'sweep-finished': ({ entity }) => works.delete(reading(entity)),
    'entity-failed': ({ entity }) => works.delete(reading(entity)),
    'push-started': ({ due }) => beginArea('Sending', due),
    'read-back-started': ({ due }) => beginArea('Reading back', due),
    'record-sent': ({ outcome }) => {
      if (outcome !== 'handed-back') advance();
    },
    'record-read-back': advance,
    'push-finished': endArea,
    'read-back-finished': endArea,
    'run-failed': endAll,
    'command-failed': endAll,
    'run-finished': endAll,
  };
  return {
    current: () => [...works.values()].at(-1) ?? null,
    apply(event) {
      (handlers[event.type] as ((event: SyncEvent) => unknown) | undefined)?.(event);
    },
  };
}

type Handlers = {
  readonly [Type in SyncEvent['type']]?: (event: Extract<SyncEvent, { type: Type }>) => unknown;
};

function reading(entity: string): string {
  return `Reading ${entity}`;
}
