import type { Emit } from '../domain/events.js';

export interface SendingTime {
  /** Passes events on. The first push that starts begins the time. */
  readonly emit: Emit;
  /** Aborts when the time is over. */
  readonly over: AbortSignal;
  /** It is over now. */
  cut(): void;
  /** Nothing aborts any more. */
  end(): void;
}

/** How long a run may send, milliseconds: counted from its first push, because its sweep takes as long as it takes. */
export function createSendingTime(ms: number, emit: Emit): SendingTime {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    emit(event) {
      if (event.type === 'push-started') timer ??= setTimeout(() => over.abort(), ms).unref();
      emit(event);
    },
    over: over.signal,
    cut: () => over.abort(),
    end: () => clearTimeout(timer),
  };
}
