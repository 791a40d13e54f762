import type { Issue } from '../../domain/issue.js';

/** What makes a value unusable, or doubtful, without the place where it was found. */
export interface Fault {
  readonly code: Issue['code'];
  readonly message: string;
  readonly hint?: string;
}

/** The outcome of one value rule: a value, possibly with a warning, or a fault. */
export type Reading<T> =
  { readonly value: T; readonly warning?: Fault } | { readonly value?: never; readonly fault: Fault };

export function fault(code: Fault['code'], message: string, hint?: string): { readonly fault: Fault } {
  return { fault: hint === undefined ? { code, message } : { code, message, hint } };
}
