/** One holder's share of a budget. */
export interface ByteAccount {
  /**
   * Takes this many more bytes. If they do not fit, the largest holder gives up everything, then the next, until they
   * fit. False: this holder was the largest, or gave up before; it holds nothing now.
   */
  take(bytes: number): boolean;
  /** From here on it never has to give up, and others give up for it: its work is worth finishing. */
  keep(): void;
  /** Gives everything back. May be called again. */
  close(): void;
}

/** Bytes shared by many holders: memory has a limit that does not depend on their number. */
export interface ByteBudget {
  /** `giveUp` is called once when others need the bytes; the holder must then free its memory. */
  open(giveUp: () => void): ByteAccount;
  /** Bytes that are taken. */
  taken(): number;
}

/**
 * A budget of `limit` bytes. The largest holder gives up, not the newest: an attacker sends much, and a usual request is
 * small, so it finds room also when the budget is full. A kept holder takes from all that are not kept.
 */
export function createByteBudget(limit: number): ByteBudget {
  interface Holder {
    bytes: number;
    kept: boolean;
    readonly giveUp: () => void;
  }
  const holders = new Set<Holder>();
  let total = 0;

  const release = (holder: Holder): void => {
    if (!holders.delete(holder)) return;
    total -= holder.bytes;
  };
  const largest = (): Holder | null => {
    let found: Holder | null = null;
    for (const holder of holders) {
      if (!holder.kept && holder.bytes > (found?.bytes ?? 0)) found = holder;
    }
    return found;
  };

  return {
    taken: () => total,
    open(giveUp) {
      const own: Holder = { bytes: 0, kept: false, giveUp };
      holders.add(own);
      return {
        take(bytes) {
          if (!holders.has(own)) return false;
          while (total + bytes > limit) {
            const victim = largest();
            if (victim === null || victim === own || (!own.kept && victim.bytes <= own.bytes + bytes)) {
              release(own);
              return false;
            }
            release(victim);
            victim.giveUp();
          }
          own.bytes += bytes;
          total += bytes;
          return true;
        },
        keep: () => {
          own.kept = true;
        },
        close: () => release(own),
      };
    },
  };
}
