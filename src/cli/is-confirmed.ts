import { SyncError } from '../domain/errors.js';
import { io } from './io.js';

/**
 * Asks before something that cannot be taken back. Only a person answers: a program without a terminal (cron,
 * `ssh host COMMAND`, `kubectl exec` without `-t`) says what it wants by `--yes`, and it is refused without.
 *
 * `what`: what asks, such as `approve`. `again`: the command that goes on without a question. Errors: SyncError `usage`
 * where nobody can answer; nothing was done then.
 */
export async function isConfirmed(
  question: string,
  { what, again }: { readonly what: string; readonly again: string },
): Promise<boolean> {
  const { ask, signal } = io();
  const answer = await ask(`${question} [y/N] `, signal);
  if (answer !== null) return answer !== false && /^\s*y(es)?\s*$/i.test(answer);
  throw new SyncError(
    'usage',
    `${what} asks before it goes on, and there is no terminal. Nothing was done.`,
    {
      scope: 'usage',
      hint: `Read what it would do. If you want that, add --yes: ${again}`,
    },
  );
}
