/** What one holder has of a budget. */
export interface ByteAccount {
  /**
   * Takes so many more bytes. When they do not fit, the largest holder gives up everything, and the next, until they
   * do. False: this one was the largest, or had given up before; it holds nothing any more.
   */
  take(bytes: number): boolean;
  /** From here on it is never asked to give up, and others give up for it: its work is worth finishing. */
  keep(): void;
  /** Gives everything back; as often as one likes. */
  close(): void;
}

/** Bytes that many share, so that memory has a bound that the number of holders does not move. */
export interface ByteBudget {
  /** `giveUp` is called once when others need the bytes; what they counted must then be let go. */
  open(giveUp: () => void): ByteAccount;
  /** Bytes that are taken. */
  taken(): number;
}

/**
 * A budget of `limit` bytes. Not the newcomer but the largest gives up, because whoever means harm sends much and a
 * usual request is small: it finds room also while all is taken. And what is kept takes from all that is not.
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
