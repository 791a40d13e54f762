import type { OperationName } from '../contract/operations.js';
import type { Area } from '../domain/area.js';
import type { Answer } from './answer.js';

/** A request that passed the checks of headers, signature and time, and whose body is JSON. */
export interface InterceptedRequest {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
  readonly area: Area;
  /** The id in the path, as sent. */
  readonly id: string;
  /** Parsed; undefined without a body. */
  readonly body: unknown;
  /** How many requests came for this method and path so far, this one included. */
  readonly count: number;
}

/** What shall happen instead. Without `status` and `drop` the request is processed and answered as usual. */
export interface Verdict {
  /** Answer with this status, without processing the request. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string;
  /** With `status`: process the request all the same, and answer with that status. */
  readonly apply?: boolean;
  /** Break the connection instead of answering: before processing the request, or after. */
  readonly drop?: 'before' | 'after';
  /** Wait before answering or dropping. */
  readonly delayMs?: number;
  /** Process the request after the delay; as a rule it is processed before. */
  readonly applyAfterDelay?: boolean;
}

/** Returns nothing for a request that shall be processed as usual. */
export type Intercept = (request: InterceptedRequest) => Verdict | void | Promise<Verdict | void>;

/** What came of a request: an answer, or a broken connection. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly applied: boolean }
  | { readonly kind: 'drop'; readonly message: string; readonly applied: boolean };

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
  const applies =
    verdict.drop === undefined
      ? verdict.status === undefined || verdict.apply === true
      : verdict.drop === 'after';
  const late = verdict.applyAfterDelay === true;
  let answer = applies && !late ? apply() : null;
  if (verdict.delayMs !== undefined) await sleep(verdict.delayMs);
  if (applies && late) answer = apply();

  if (verdict.drop !== undefined) {
    return { kind: 'drop', message: `connection dropped ${verdict.drop} processing`, applied: applies };
  }
  if (verdict.status !== undefined || answer === null) {
    return { kind: 'answer', answer: told(verdict), applied: applies };
  }
  return {
    kind: 'answer',
    answer: { ...answer, headers: { ...answer.headers, ...verdict.headers } },
    applied: applies,
  };
}

function told(verdict: Verdict): Answer {
  const status = verdict.status ?? 500;
  return {
    status,
    body: verdict.body ?? { message: `intercepted with ${status}` },
    ...(verdict.headers === undefined ? {} : { headers: verdict.headers }),
    message: `intercepted with ${status}`,
  };
}
