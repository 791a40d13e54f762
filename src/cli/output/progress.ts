import { Writable } from 'node:stream';
import cliProgress from 'cli-progress';
import type { Emit, SyncEvent } from '../../domain/events.js';
import { timeLeft } from '../../telemetry/time-left.js';

export interface Progress {
  /** Whether a bar is drawn: then the log keeps quiet about what the bar shows. */
  readonly interactive: boolean;
  readonly emit: Emit;
  /** The stream with the bar kept below whatever is written. */
  around(stream: NodeJS.WriteStream): NodeJS.WritableStream;
}

/** A line this often where there is no terminal, milliseconds. */
const LINE_EVERY_MS = 10_000;

const FORMAT = '{what} {bar} {value}/{total} · {speed}/s · {left} left';

/**
 * A bar with rate and time left on a terminal; elsewhere an event every ten seconds, for the log.
 * `report` gets those events.
 */
export function createProgress(stream: NodeJS.WriteStream, quiet: boolean, report: Emit): Progress {
  // Undefined, whatever the types say, where the stream is no terminal.
  const interactive = (stream.isTTY as boolean | undefined) === true && !quiet;
  let bar: cliProgress.SingleBar | null = null;
  let total = 0;
  let done = 0;
  let began = 0;
  let lastLine = 0;
  let reading = false;

  const stop = () => {
    bar?.stop();
    bar = null;
  };
  const describe = () => {
    const speed = done / Math.max((performance.now() - began) / 1000, 0.001);
    const perSecond = Number(speed.toFixed(speed < 10 ? 1 : 0));
    return { perSecond, secondsLeft: Math.ceil(Math.max(total - done, 0) / Math.max(speed, 0.001)) };
  };
  const begin = (what: string, amount: number) => {
    total = amount;
    done = 0;
    began = lastLine = performance.now();
    if (!interactive) return;
    bar = new cliProgress.SingleBar({
      stream,
      format: FORMAT,
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      fps: 8,
    });
    bar.start(amount, 0, { what, speed: '0', left: '…' });
  };
  const advance = () => {
    done += 1;
    if (bar) {
      const { perSecond, secondsLeft } = describe();
      bar.update(Math.min(done, total), { speed: String(perSecond), left: timeLeft(secondsLeft) });
    } else if (!interactive && performance.now() - lastLine > LINE_EVERY_MS) {
      lastLine = performance.now();
      report({ type: 'push-progress', reading, done, total: Math.max(done, total), ...describe() });
    }
  };

  let areas = 0;
  const emit = (event: SyncEvent): void => {
    if (event.type === 'push-started' || event.type === 'read-back-started') {
      areas += 1;
      reading = event.type === 'read-back-started';
      if (event.due === 0) return;
      if (areas > 1 && total > 0) {
        total += event.due;
        bar?.setTotal(total);
      } else begin(reading ? 'Reading back' : 'Sending', event.due);
    } else if (event.type === 'record-sent') {
      if (event.outcome !== 'handed-back') advance();
    } else if (event.type === 'record-read-back') {
      advance();
    } else if (event.type === 'push-finished' || event.type === 'read-back-finished') {
      areas -= 1;
      if (areas === 0) {
        stop();
        total = 0;
      }
    } else if (event.type === 'run-finished') {
      stop();
      areas = 0;
    }
  };

  return {
    interactive,
    emit,
    around: (target) =>
      new Writable({
        write(chunk: Buffer, _encoding, done_) {
          // The log line takes the bar's place, and the bar is drawn again below it.
          if (bar) target.write('\r\u001b[K');
          target.write(chunk, () => done_());
        },
      }),
  };
}
