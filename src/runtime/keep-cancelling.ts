/** Time between two requests to the server, milliseconds. */
const AGAIN_MS = 100;

/**
 * Asks a server again and again to cancel a statement: a request that overtakes the statement is lost. If the statement
 * has not ended after `graceMs`, it stops asking and calls `giveUp`. Gives the function that ends it.
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
