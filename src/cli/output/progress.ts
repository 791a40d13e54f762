import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import type CliProgress from 'cli-progress';
import type { Emit } from '../../domain/events.js';
import type { Output } from '../io.js';
import { paceOf, progressText } from './progress-text.js';
import { trackWork } from './track-work.js';
import { widthOf } from './write.js';
import { wrapText } from './wrap-text.js';

const require = createRequire(import.meta.url);

export interface Progress {
  /** Whether a bar is drawn: then the log leaves out what the bar shows. */
  readonly interactive: boolean;
  readonly emit: Emit;
  /** The stream; the bar stays below all lines. */
  around(stream: Output): NodeJS.WritableStream;
  /** Removes the bar and ends the timer. */
  close(): void;
}

/** Time between two lines without a bar, milliseconds. */
const LINE_EVERY_MS = 10_000;
/** Time between two checks whether a line is due, milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** Columns of a terminal that does not report them. */
const USUAL_WIDTH = 80;

/**
 * A bar with rate and time left on a terminal; elsewhere an event every ten seconds, for the log.
 * `report` gets those events. `bar: false` is for a command that runs until you stop it: a bar would hide its log.
 */
export function createProgress(
  stream: Output,
  { quiet, bar: allowed }: { readonly quiet: boolean; readonly bar: boolean },
  report: Emit,
): Progress {
  const interactive = stream.isTTY === true && !quiet && allowed;
  const now = () => performance.now();
  const tracker = trackWork(now);
  let bar: CliProgress.SingleBar | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastLine = now();
  let drawn = '';

  const text = () => {
    const work = tracker.current();
    drawn = work === null ? '' : progressText(work, now(), widthOf(stream) ?? USUAL_WIDTH);
    return drawn;
  };
  /** Some terminals break a line that no longer fits. */
  const onResize = () => {
    const rows = Math.floor(drawn.length / (widthOf(stream) ?? USUAL_WIDTH));
    if (rows > 0) stream.write(`\u001b[${rows}A\r\u001b[J`);
  };
  /** Also when a second signal ends the process. */
  const showCursor = () => stream.write('\r\u001b[K\u001b[?25h');

  const show = () => {
    if (bar) return;
    // Loaded with the first bar: most commands draw none.
    const { SingleBar } = require('cli-progress') as typeof CliProgress;
    bar = new SingleBar({
      stream: withoutSavedCursor(stream),
      format: text,
      hideCursor: true,
      clearOnComplete: true,
      // The terminal's own setting stays: log lines may be wider.
      linewrap: null,
      forceRedraw: true,
      fps: 8,
    });
    bar.start(1, 0);
    stream.on('resize', onResize);
    process.once('exit', showCursor);
  };
  const hide = () => {
    bar?.stop();
    bar = null;
    stream.off('resize', onResize);
    process.off('exit', showCursor);
  };
  const line = () => {
    const work = tracker.current();
    if (work === null || now() - lastLine < LINE_EVERY_MS) return;
    lastLine = now();
    const { name, done, total } = work;
    report({ type: 'progress', work: name, done, total, ...rounded(paceOf(work, now())) });
  };
  const close = () => {
    hide();
    if (timer) clearInterval(timer);
    timer = null;
  };

  return {
    interactive,
    emit(event) {
      tracker.apply(event);
      if (tracker.current() === null) close();
      else if (interactive) show();
      else if (timer === null) {
        lastLine = now();
        // A timer, because one long statement gives no event.
        timer = setInterval(line, LOOK_EVERY_MS).unref();
      }
    },
    around: (target) =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          // The log line replaces the bar; the next frame draws the bar below it.
          if (bar) target.write('\r\u001b[K');
          target.write(wrapText(chunk.toString(), widthOf(target)), () => done());
        },
      }),
    close,
  };
}

function rounded<T extends { elapsedMs: number }>(pace: T): T {
  return { ...pace, elapsedMs: Math.round(pace.elapsedMs) };
}

/** The library would return to where the bar began and overwrite the log lines since then. */
function withoutSavedCursor(stream: Output): NodeJS.WritableStream {
  const SAVE_AND_RESTORE = ['\u001b7', '\u001b8'];
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') {
        return (text: string, ...rest: []) => SAVE_AND_RESTORE.includes(text) || target.write(text, ...rest);
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
