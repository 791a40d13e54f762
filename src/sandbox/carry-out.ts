import type { Answer } from './answer.js';
import type { Delivery, Verdict } from './verdict.js';

/** The outcome of a request: an answer, a broken connection, or nothing. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly applied: boolean;
      /** Undefined: at once and whole. */
      readonly delivery?: Delivery | undefined;
    }
  | {
      readonly kind: 'drop';
      readonly message: string;
      readonly applied: boolean;
      /** The request takes effect later, by this time. */
      readonly applyAfterMs?: number | undefined;
    }
  | { readonly kind: 'silence'; readonly message: string; readonly applied: boolean };

/**
 * Carries a verdict out.
 * @param apply processes the request; called once or not at all
 * @param sleep waits so many milliseconds
 */
export async function carryOut(
  verdict: Verdict,
  apply: () => Answer,
  sleep: (ms: number) => Promise<void>,
): Promise<Outcome> {
  const applies = appliesRequest(verdict);
  const late = verdict.applyAfterDelay === true;
  let answer = applies && !late ? apply() : null;
  if (verdict.delayMs !== undefined) await sleep(verdict.delayMs);
  if (applies && late) answer = apply();

  if (verdict.silent === true)
    return { kind: 'silence', message: `not answered${applies ? ', but processed' : ''}`, applied: applies };
  if (verdict.drop !== undefined) return dropped(verdict, verdict.drop);
  if (verdict.status !== undefined || answer === null) {
    return { kind: 'answer', answer: answerOf(verdict), applied: applies, delivery: verdict.delivery };
  }
  return {
    kind: 'answer',
    answer: { ...answer, headers: { ...answer.headers, ...verdict.headers } },
    applied: applies,
    delivery: verdict.delivery,
  };
}

function appliesRequest({ drop, silent, status, apply }: Verdict): boolean {
  if (drop !== undefined) return drop === 'after';
  return (silent !== true && status === undefined) || apply === true;
}

function dropped({ applyAfterDropMs }: Verdict, drop: 'before' | 'after'): Outcome {
  const later = drop === 'before' && applyAfterDropMs !== undefined;
  return {
    kind: 'drop',
    message: later
      ? `connection dropped, to be processed ${applyAfterDropMs} ms later`
      : `connection dropped ${drop} processing`,
    applied: drop === 'after',
    applyAfterMs: later ? applyAfterDropMs : undefined,
  };
}

function answerOf(verdict: Verdict): Answer {
  const status = verdict.status ?? 500;
  return {
    status,
    body: verdict.body ?? { message: `intercepted with ${status}` },
    ...(verdict.headers === undefined ? {} : { headers: verdict.headers }),
    message: `intercepted with ${status}`,
  };
}
