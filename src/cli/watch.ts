import { systemClock } from './compose/package-info.js';
import { io, withIo, withWrite } from './io.js';
import { widthOf, writeAndWait } from './output/write.js';

const EVERY_MS = 3_000;

/** To the upper left corner, then everything below is cleared. */
const REPAINT = '\u001b[H\u001b[J';

/** Clears the screen first, so that what stood there before stays in the scrollback of most terminals. */
const FIRST = `\u001b[2J${REPAINT}`;

/**
 * Shows the same again every few seconds until `signal` aborts or nobody reads it any more. A terminal is repainted; a
 * pipe gets one after the other. `show` prints one frame. Errors: those of `show`, unless the signal caused them.
 */
export async function watch(
  show: () => Promise<void>,
  { signal, repaint }: { readonly signal: AbortSignal; readonly repaint: boolean },
): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const frame = await captured(show).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (frame === null) return;
    const { stdout } = io();
    const text =
      repaint && widthOf(stdout) !== undefined
        ? (count === 0 ? FIRST : REPAINT) + fitFrame(frame, stdout.rows)
        : (count === 0 ? '' : '\n') + frame;
    if (!(await writeAndWait(text))) return;
    await systemClock.sleep(EVERY_MS, signal);
  }
}

/** What `show` writes to standard output, as one text: a terminal that got it in parts would flicker. */
async function captured(show: () => Promise<void>): Promise<string> {
  const texts: string[] = [];
  const given = io();
  await withIo({ ...given, stdout: withWrite(given.stdout, (text) => texts.push(text) > 0) }, show);
  return texts.join('');
}

/**
 * A text that fits a screen of so many rows: what is too much is left out at the end, and counted. Undefined, or 0 of a
 * terminal that does not know: all of it.
 */
export function fitFrame(text: string, rows: number | undefined): string {
  const lines = text.replace(/\n$/, '').split('\n');
  // The last row stays free: a line feed there would scroll the first one away.
  const room = (rows ?? 0) - 1;
  if (room < 2 || lines.length <= room) return text;
  const shown = lines.slice(0, room - 1);
  return `${[...shown, `… ${lines.length - shown.length} more lines need a taller window.`].join('\n')}\n`;
}
