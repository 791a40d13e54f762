import type { BodyProblem } from '../contract/body-problems.js';
import type { ErrorStatus } from '../contract/error-answers.js';

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
  return { status: 422, body: { message: 'The given data was invalid.', errors }, message: first };
}

/** 200 with the envelope of interface §1. */
export function accepted(data: object, clientIp: string): Answer {
  const meta = { client_ip: clientIp, hostname: 'sandbox', version: 'v1' };
  return { status: 200, body: { data, meta }, message: null };
}
