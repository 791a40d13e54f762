/** Wrong tokens within a minute: from one address, and from all together. */
const PER_ADDRESS = 5;
const OVERALL = 50;
const WINDOW_MS = 60_000;

/** Limits wrong tokens; a right one does not count. */
export interface GuessLimit {
  /** Seconds until another token is checked; 0: now. */
  secondsToWait(address: string): number;
  noteWrong(address: string): void;
}

/** `now`: milliseconds that never jump. */
export function createGuessLimit(now: () => number): GuessLimit {
  // At most OVERALL entries: beyond that no token is checked.
  let wrong: readonly { readonly address: string; readonly at: number }[] = [];
  const recent = () => (wrong = wrong.filter(({ at }) => now() - at < WINDOW_MS));
  return {
    secondsToWait(address) {
      const all = recent();
      const own = all.filter((one) => one.address === address);
      const [blocking] =
        own.length >= PER_ADDRESS
          ? own.slice(own.length - PER_ADDRESS)
          : all.length >= OVERALL
            ? all.slice(all.length - OVERALL)
            : [];
      return blocking === undefined ? 0 : Math.ceil((blocking.at + WINDOW_MS - now()) / 1000);
    },
    noteWrong(address) {
      wrong = [...recent(), { address, at: now() }];
    },
  };
}
