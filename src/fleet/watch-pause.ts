/** Time between two looks, milliseconds. */
const LOOK_MS = 5_000;

/**
 * Calls `tooLong` when all that use a client id were asked to wait for longer than this, milliseconds: a run that waits for
 * it would only hold its slot. Gives what ends the looks. A look that fails says nothing.
 */
export function watchPause(
  pauseLeft: () => Promise<number>,
  longestMs: number,
  tooLong: () => void,
): () => void {
  const look = async (): Promise<void> => {
    const left = await pauseLeft().catch(() => 0);
    if (left > longestMs) tooLong();
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return () => clearInterval(timer);
}
