import type { ErrorStatus } from './error-answers.js';
import type { BodyProblem } from '../../core/contract/schema-fields.js';

/** What the sandbox answers: the status, the body, and one sentence for the journal (null: accepted). */
export interface Answer {
  readonly status: number;
  /** Sent as JSON when it is an object. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message: string | null;
}

/** A refusal with the platform's assumed error body, `{message}`. */
export function refusal(status: ErrorStatus, message: string): Answer {
  return { status, body: { message }, message };
}

/** 422 with `message` and `errors {field: [..]}`, as a Laravel application answers (assumed). */
export function invalidFields(problems: readonly Pick<BodyProblem, 'field' | 'message'>[]): Answer {
  // Without a prototype, because a client may well name a field __proto__.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const { field, message } of problems) {
    const sentence = field === '' ? `The body ${message}.` : `The ${field} field ${message}.`;
    (errors[field] ??= []).push(sentence);
  }
  const first = Object.values(errors)[0]?.[0] ?? 'The given data was invalid.';
  const body = { message: 'The given data was invalid.', errors };
  return { status: 422, body, message: first };
}

/** What happens to a request. Without `status`, `drop` and `silent` it is processed and answered as usual. */
export interface Verdict {
  /** Answer with this status, without processing the request. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string;
  /** With `status` or `silent`: process the request anyway. */
  readonly apply?: boolean;
  /** Break the connection instead of answering: before processing the request, or after. */
  readonly drop?: 'before' | 'after';
  /** With `drop: before`: process the request later, by this time, as if it had been under way for so long. */
  readonly applyAfterDropMs?: number;
  /** Never answer. */
  readonly silent?: boolean;
  /** How the answer is sent; as a rule at once and whole. */
  readonly delivery?: Delivery;
  /** Wait before answering or dropping. */
  readonly delayMs?: number;
  /** Process the request after the delay; as a rule it is processed before. */
  readonly applyAfterDelay?: boolean;
}

export type Delivery =
  /** In many pieces. */
  | { readonly kind: 'slow'; readonly overMs: number }
  /** The first part of the body, then the connection ends. `whole` announces all of it, `kept` only that part. */
  | { readonly kind: 'cut'; readonly keptShare: number; readonly announced: 'whole' | 'kept' };
