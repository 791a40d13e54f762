import type { Emit } from '../domain/events.js';

export interface SliceTime {
  /** Passes events on. The first push that starts ends the time for the sweep, and begins that for sending. */
  readonly emit: Emit;
  /** Aborts when the time for sending is over. */
  readonly over: AbortSignal;
  /** Aborts when the sweep took longer than it may. */
  readonly outgrown: AbortSignal;
  /** The time for sending is over now. */
  cut(): void;
  /** Nothing aborts any more. */
  end(): void;
}

/**
 * How long a run may send, and how long it may sweep before: each so many milliseconds. `sweepIsBounded`: false where a
 * sweep takes as long as it takes.
 */
export function createSliceTime(
  ms: number,
  { sweepIsBounded, emit }: { readonly sweepIsBounded: boolean; readonly emit: Emit },
): SliceTime {
  const over = new AbortController();
  const outgrown = new AbortController();
  const outgrows = (): void => {
    const message = `The sweep took longer than ${ms / 1_000} s. It begins again in the lane of large tenants, where it may.`;
    emit({ type: 'warning', message });
    outgrown.abort();
  };
  const sweeping = sweepIsBounded ? setTimeout(outgrows, ms).unref() : undefined;
  let sending: NodeJS.Timeout | undefined;
  const end = (): void => [sweeping, sending].forEach((timer) => clearTimeout(timer));
  return {
    emit(event) {
      if (event.type === 'push-started') {
        clearTimeout(sweeping);
        sending ??= setTimeout(() => over.abort(), ms).unref();
      }
      emit(event);
    },
    ...{ over: over.signal, outgrown: outgrown.signal },
    cut: () => over.abort(),
    end,
  };
}
