/** Deadlock and serialisation failure: Postgres undid everything, and the next try usually succeeds. */
const UNDONE = ['40P01', '40001'];

const MOST_TRIES = 5;

/**
 * Does `work` again when Postgres ended it in favour of another transaction. A sweep publishes, a push stores outcomes
 * and a person requests resends at the same time, each in its own order, so two of them can wait for each other.
 * Postgres then ends one; the run has not failed.
 */
export async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MOST_TRIES || !UNDONE.includes(codeOf(error))) throw error;
    }
  }
}

/** SQLSTATE of pg's error, or of the cause of a translated error. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : String(code);
}
