import { systemClock } from './compose/system-clock.js';
import { io, withIo, type Output } from './io.js';
import { fitFrame } from './output/fit-frame.js';
import { widthOf, writeAndWait } from './output/write.js';

/** Time between two looks, milliseconds. */
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
  const stdout = new Proxy(given.stdout, {
    get(target: Output, name) {
      if (name === 'write') return (text: string) => texts.push(text) > 0;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await withIo({ ...given, stdout }, show);
  return texts.join('');
}
