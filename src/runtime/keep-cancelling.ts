/** How often a server is asked, milliseconds. */
const AGAIN_MS = 100;

/**
 * Asks a server to cancel a statement until that has ended: a request that overtakes the statement is lost. After
 * `graceMs` nobody is listening, and `giveUp` is called instead. Gives what ends it.
 */
export function keepCancelling(cancel: () => void, graceMs: number, giveUp: () => void): () => void {
  cancel();
  const asking = setInterval(cancel, AGAIN_MS);
  const givingUp = setTimeout(() => {
    clearInterval(asking);
    giveUp();
  }, graceMs);
  return () => {
    clearInterval(asking);
    clearTimeout(givingUp);
  };
}
