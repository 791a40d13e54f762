import type { BodyProblem } from '../contract/schema-fields.js';
import type { ErrorStatus } from '../contract/error-answers.js';

/** Refusals that a platform may answer in another way. */
export type RefusalReason = 'authentication' | 'unknownId' | 'repeatedRequestId' | 'invalidFields';

/** What the sandbox answers: the status, the body, and one sentence for the journal (null: accepted). */
export interface Answer {
  readonly status: number;
  /** Sent as JSON when it is an object. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message: string | null;
  readonly reason?: RefusalReason | undefined;
}

/** A refusal with the platform's assumed error body, `{message}`. */
export function refusal(status: ErrorStatus, message: string, reason?: RefusalReason): Answer {
  return { status, body: { message }, message, reason };
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
  return { status: 422, body, message: first, reason: 'invalidFields' };
}
