import { oneLineUpTo } from '../reply/one-line.js';

/** Longer than any message of Postgres itself; a statement of the partner may raise one of any length. */
const LONGEST_MESSAGE = 1_000;

/** What pg puts into its errors. */
interface ErrorFields {
  readonly code?: string;
  readonly message: string;
  readonly severity?: string;
  readonly routine?: string;
  readonly position?: string;
}

/**
 * The message of a database as text from outside: on one line, and cut. Servers, views and functions of a partner write
 * what they like, and it is stored, logged and shown.
 */
export function databaseMessage(message: string): string {
  return oneLineUpTo(LONGEST_MESSAGE, message);
}

/** An attempt on several addresses fails with a list of errors and no message of its own. */
export function errorFields(error: unknown): ErrorFields {
  const fields = error as Partial<ErrorFields> & { readonly errors?: readonly unknown[] };
  const message = fields.message ?? String(error);
  if (message === '' && fields.errors?.[0] !== undefined) return errorFields(fields.errors[0]);
  return { ...pick(fields), message: databaseMessage(message || (fields.code ?? 'unknown error')) };
}

function pick({ code, severity, routine, position }: Partial<ErrorFields>): Partial<ErrorFields> {
  return {
    ...(code === undefined ? {} : { code }),
    ...(severity === undefined ? {} : { severity }),
    ...(routine === undefined ? {} : { routine }),
    ...(position === undefined ? {} : { position }),
  };
}
