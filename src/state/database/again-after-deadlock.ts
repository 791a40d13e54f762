/** Deadlock and serialisation failure: Postgres undid everything, and the next try usually succeeds. */
const UNDONE = ['40P01', '40001'];

const MOST_TRIES = 5;

/**
 * Does `work` again when Postgres ended it in favour of another transaction. A sweep publishes, a push notes
 * outcomes and a human marks records at the same time, each in an order of its own, so that two of them can wait
 * for each other; Postgres then ends one, which is no failure of the run.
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

/** SQLSTATE of what pg threw, or of what a translated error was made from. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof cause === 'object' && cause !== null ? codeOf(cause) : String(code);
}
