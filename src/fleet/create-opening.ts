import type { Clock } from '../ports/clock.js';

/** Longest time that others wait for the attempt that opens a connection, milliseconds: the platform may hang. */
const LONGEST_MS = 1_000;
/** A connection that was not used for so long may be closed, milliseconds. */
const IDLE_MS = 4_000;

/** Whether the tenants of one credential in this process have an open connection, as far as can be seen from outside. */
export interface Opening {
  /** One attempt opens a connection: others should wait for it, because each that opened one too would arrive late. */
  isAwaited(): boolean;
  /** An attempt begins. Call what it gives when the attempt has ended; `sent`: not when nothing was sent. */
  begin(): (sent: boolean) => void;
}

export function createOpening(clock: Pick<Clock, 'monotonic'>): Opening {
  let usedAt = Number.NEGATIVE_INFINITY;
  /** Of the first attempt since there was no connection; null: none has begun. */
  let begunAt: number | null = null;
  const isOpen = (): boolean => clock.monotonic() - usedAt < IDLE_MS;
  return {
    isAwaited: () => !isOpen() && begunAt !== null && clock.monotonic() - begunAt < LONGEST_MS,
    begin() {
      if (isOpen()) usedAt = clock.monotonic();
      else begunAt ??= clock.monotonic();
      return (sent) => {
        begunAt = null;
        if (sent) usedAt = clock.monotonic();
      };
    },
  };
}
