import { once } from 'node:events';
import { isatty } from 'node:tty';

/**
 * Asks a question on the terminal. Gives the answer, or null where no terminal is there to answer: a script, cron.
 * Ctrl-D gives false: the input has ended, and no further question would get an answer. Ctrl-C gives an empty answer, and
 * so does a terminal whose user cannot see the question.
 */
export async function askOnTerminal(question: string, signal: AbortSignal): Promise<string | null | false> {
  if (!isatty(0)) return null;
  const shown = isatty(2) ? process.stderr : isatty(1) ? process.stdout : null;
  if (shown === null) return '';
  if (process.stdin.readableEnded) return false;
  const { createInterface } = await import('node:readline');
  // Not a terminal to readline: it would take Ctrl-C for itself.
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    shown.write(question);
    const [answer] = (await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }),
    ])) as [string?];
    return answer ?? false;
  } catch (error) {
    if (signal.aborted) return '';
    throw error;
  } finally {
    lines.close();
  }
}
