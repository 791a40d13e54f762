import type { Emit } from '../../domain/events.js';
import { composeNotice, noticeTitle } from '../../domain/compose-notice.js';
import { type Notice, QUIET_MS } from '../../domain/notice.js';
import type { Clock } from '../../ports/clock.js';
import type { NoticeStore } from '../../ports/notice-store.js';
import type { Delivery, Notifier } from '../../ports/notifier.js';

/** Pauses before the second and the third try of one delivery, milliseconds. */
const PAUSES_MS = [500, 2_000];

export interface NotifyOptions {
  readonly store: NoticeStore;
  readonly notifier: Notifier;
  readonly worker: string;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Aborts when the process is to end: an interrupted delivery is then not a failure. */
  readonly ending: AbortSignal;
}

/**
 * Sends the due messages of one way. A receiver that cannot be reached waits until the next look; one that refuses a
 * message gets the others. Errors: what the state database throws.
 */
export async function notifyDue(options: NotifyOptions): Promise<void> {
  const { store, notifier, emit, signal } = options;
  const { way, receiver } = notifier;
  while (!signal.aborted) {
    const memory = await store.takeDue(way);
    if (memory === null) return;
    const notice = composeNotice(memory, options.worker);
    const delivery = await deliver(notice, options);
    if (delivery.kind === 'delivered') {
      await store.noteTold(memory.noticeId, QUIET_MS);
      emit({ type: 'notice-told', way, receiver, title: noticeTitle(notice) });
      continue;
    }
    const { inDoubt, reason, hint } = delivery;
    const givenUp = await store.noteFailure(memory.noticeId, { inDoubt, quietMs: QUIET_MS });
    if (options.ending.aborted) return;
    const next = givenUp ? 'It is given up.' : 'It is tried again later.';
    emit({
      type: 'warning',
      message: `A notice did not reach notify.${way} (${receiver}): ${reason} ${next}`,
      hint: `${hint} Test it with: placement-sync notify test`,
    });
    if (delivery.kind === 'failed') return;
  }
}

async function deliver(notice: Notice, { notifier, clock, signal }: NotifyOptions): Promise<Delivery> {
  let delivery = await notifier.deliver(notice, signal);
  let inDoubt = false;
  for (const pause of PAUSES_MS) {
    if (delivery.kind !== 'failed' || signal.aborted) break;
    inDoubt ||= delivery.inDoubt;
    await clock.sleep(pause, signal);
    if (signal.aborted) break;
    delivery = await notifier.deliver(notice, signal);
  }
  return delivery.kind === 'delivered' ? delivery : { ...delivery, inDoubt: inDoubt || delivery.inDoubt };
}
