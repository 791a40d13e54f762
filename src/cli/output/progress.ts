import type CliProgress from 'cli-progress';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import type { Emit, SyncEvent } from '../../core/domain/events.js';
import { grouped } from '../../core/domain/text.js';
import { timeGone, timeLeft } from './log.js';
import { type Output, withWrite } from '../io.js';
import { widthOf, wrapText } from './write.js';

const require = createRequire(import.meta.url);

/** Time between two lines without a bar, milliseconds. */
const LINE_EVERY_MS = 10_000;
/** Time between two checks whether a line is due, milliseconds. */
const LOOK_EVERY_MS = 1_000;
const USUAL_WIDTH = 80;

const now = () => performance.now();

/**
 * A bar with rate and time left on a terminal; elsewhere an event every ten seconds, for the log.
 * `report` gets those events. `bar: false` is for a command that runs until you stop it: a bar would hide its log.
 */
export class Progress {
  /** Whether a bar is drawn: then the log leaves out what the bar shows. */
  readonly interactive: boolean;
  private readonly tracker = trackWork(now);
  private bar: CliProgress.SingleBar | null = null;
  /** Looks whether a line is due. */
  private timer: NodeJS.Timeout | null = null;
  /** When the last line was reported. */
  private lastLine = now();
  /** What the bar showed last. */
  private drawn = '';

  constructor(
    private readonly stream: Output,
    { quiet, bar: allowed }: { readonly quiet: boolean; readonly bar: boolean },
    private readonly report: Emit,
  ) {
    this.interactive = stream.isTTY === true && !quiet && allowed;
  }

  emit(event: SyncEvent): void {
    this.tracker.apply(event);
    if (this.tracker.current() === null) this.close();
    else if (this.interactive) this.show();
    else if (this.timer === null) {
      this.lastLine = now();
      // A timer, because one long statement gives no event.
      this.timer = setInterval(() => this.line(), LOOK_EVERY_MS).unref();
    }
  }

  /** The stream; the bar stays below all lines. */
  around(target: Output): NodeJS.WritableStream {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        // The log line replaces the bar; the next frame draws the bar below it.
        if (this.bar) target.write('\r\u001b[K');
        target.write(wrapText(chunk.toString(), widthOf(target)), () => done());
      },
    });
  }

  /** Removes the bar and ends the timer. */
  close(): void {
    this.bar?.stop();
    this.bar = null;
    this.stream.off('resize', this.onResize);
    process.off('exit', this.showCursor);
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private show(): void {
    if (this.bar) return;
    const { stream } = this;
    // Loaded with the first bar: most commands draw none.
    const { SingleBar } = require('cli-progress') as typeof CliProgress;
    this.bar = new SingleBar({
      stream: withWrite(
        stream,
        (text, ...rest) => SAVE_AND_RESTORE.includes(text) || stream.write(text, ...rest),
      ),
      format: () => this.text(),
      hideCursor: true,
      clearOnComplete: true,
      // The terminal's own setting stays: log lines may be wider.
      linewrap: null,
      forceRedraw: true,
      fps: 8,
    });
    this.bar.start(1, 0);
    stream.on('resize', this.onResize);
    process.once('exit', this.showCursor);
  }

  private text(): string {
    const work = this.tracker.current();
    this.drawn = work === null ? '' : progressText(work, now(), widthOf(this.stream) ?? USUAL_WIDTH);
    return this.drawn;
  }

  private line(): void {
    const work = this.tracker.current();
    if (work === null || now() - this.lastLine < LINE_EVERY_MS) return;
    this.lastLine = now();
    const { name, done, total } = work;
    const pace = paceOf(work, now());
    this.report({
      type: 'progress',
      work: name,
      done,
      total,
      ...pace,
      elapsedMs: Math.round(pace.elapsedMs),
    });
  }

  /** Some terminals break a line that no longer fits. */
  private readonly onResize = (): void => {
    const rows = Math.floor(this.drawn.length / (widthOf(this.stream) ?? USUAL_WIDTH));
    if (rows > 0) this.stream.write(`\u001b[${rows}A\r\u001b[J`);
  };

  /** Also when a second signal ends the process. */
  private readonly showCursor = () => this.stream.write('\r\u001b[K\u001b[?25h');
}

/** The library would return to where the bar began and overwrite the log lines since then. */
const SAVE_AND_RESTORE = ['\u001b7', '\u001b8'];

/** The work's pace since it began. `secondsLeft` null: unknown. */
function paceOf({ done, total, began }: Work, now: number) {
  const elapsedMs = Math.max(now - began, 1);
  const speed = done / (elapsedMs / 1000);
  return {
    perSecond: Number(speed.toFixed(speed < 10 ? 1 : 0)),
    secondsLeft: total === null || done === 0 ? null : Math.ceil(Math.max(total - done, 0) / speed),
    elapsedMs,
  };
}

const WIDEST_BAR = 24;
/** A narrower bar shows nothing useful. */
const NARROWEST_BAR = 8;

/**
 * One line shorter than `width` columns: the work's name, and as much of bar, count, pace and time left as fits.
 */
export function progressText(work: Work, now: number, width: number): string {
  const { perSecond, secondsLeft, elapsedMs } = paceOf(work, now);
  const { name, done, total } = work;
  const room = width - 1;
  const tail = [
    ...(done > 0 ? [`${grouped(perSecond)}/s`] : []),
    secondsLeft === null ? timeGone(elapsedMs / 1000) : `${timeLeft(secondsLeft)} left`,
  ];
  const amount = total === null ? (done > 0 ? grouped(done) : '') : `${grouped(done)}/${grouped(total)}`;
  const words = [[name, amount].filter(Boolean).join(' '), ...tail].join(' · ');
  if (words.length > room) {
    const short = [name, amount].filter(Boolean).join(' ');
    return short.length > room ? `${short.slice(0, Math.max(room - 1, 0))}…` : short;
  }
  if (total === null) return words;
  const size = Math.min(room - words.length - 1, WIDEST_BAR);
  if (size < NARROWEST_BAR) return words;
  const full = Math.round((Math.min(done, total) / Math.max(total, 1)) * size);
  return `${name} ${'█'.repeat(full)}${'░'.repeat(size - full)} ${words.slice(name.length + 1)}`;
}

interface Work {
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
  /** Milliseconds on the clock that `trackWork` was given. */
  readonly began: number;
}

/** Follows the events to know what is under way. `now` gives milliseconds that never go back. */
export function trackWork(now: () => number) {
  const works = new Map<string, Work>();
  /** Areas that are pushed or read back side by side share one work. */
  let areas = 0;
  let shared = '';

  const begin = (name: string, total: number | null) =>
    works.set(name, { name, total, done: 0, began: now() });
  const change = (name: string, part: (work: Work) => Partial<Work>) => {
    const work = works.get(name);
    if (work) works.set(name, { ...work, ...part(work) });
  };

  const beginArea = (name: string, due: number) => {
    areas += 1;
    shared = name;
    if (due === 0) return;
    if (works.has(name)) change(name, ({ total }) => ({ total: (total ?? 0) + due }));
    else begin(name, due);
  };
  const endArea = () => {
    areas = Math.max(areas - 1, 0);
    if (areas === 0) works.delete(shared);
  };
  const advance = () =>
    change(shared, ({ done, total }) => ({ done: done + 1, total: Math.max(total ?? 0, done + 1) }));

  const endAll = () => {
    areas = 0;
    works.clear();
  };

  const handlers: Handlers = {
    'work-started': ({ work, total }) => begin(work, total),
    'work-advanced': ({ work, done }) => change(work, () => ({ done })),
    'work-ended': ({ work }) => works.delete(work),
    'sweep-started': ({ entity }) => begin(reading(entity), null),
    'sweep-progress': ({ entity, read }) => change(reading(entity), () => ({ done: read })),
    'sweep-finished': ({ entity }) => works.delete(reading(entity)),
    'entity-failed': ({ entity }) => works.delete(reading(entity)),
    'push-started': ({ due }) => beginArea('Sending', due),
    'read-back-started': ({ due }) => beginArea('Reading back', due),
    'record-sent': ({ outcome }) => {
      if (outcome !== 'handed-back') advance();
    },
    'record-read-back': advance,
    'push-finished': endArea,
    'read-back-finished': endArea,
    'run-failed': endAll,
    'command-failed': endAll,
    'run-finished': endAll,
  };
  return {
    /** The work under way that began last; null: none. */
    current: (): Work | null => [...works.values()].at(-1) ?? null,
    apply(event: SyncEvent): void {
      (handlers[event.type] as ((event: SyncEvent) => unknown) | undefined)?.(event);
    },
  };
}

type Handlers = {
  readonly [Type in SyncEvent['type']]?: (event: Extract<SyncEvent, { type: Type }>) => unknown;
};

function reading(entity: string): string {
  return `Reading ${entity}`;
}
