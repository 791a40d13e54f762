import type { AreaDeviations } from '../config/deviations.js';
import type { Operation } from '../contract/operation.js';
import type { Store } from './store.js';

/** What an operation sees of a request, and what it works on. */
export interface RequestContext {
  readonly operation: Operation;
  /** The id in the path: a UUID. */
  readonly id: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly store: Store;
  readonly nowMs: number;
  readonly clientId: string;
  readonly clientIp: string;
  readonly timeZone: string;
  readonly acceptExtraFields: boolean;
  /** Whether it refuses what the interface's words rule out. */
  readonly strict: boolean;
  readonly deviations: AreaDeviations;
  /** Whether the sandbox sent this application by webhook. */
  isSentApplication(id: string): boolean;
}

/** Header names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's only value; null when it is missing, empty or repeated. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : null;
}

type Fields = Record<string, unknown>;

/** Puts a value at a dotted path; makes the objects on the way. */
export function putAt(data: Fields, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at = data;
  for (const step of steps) at = (at[step] ??= {}) as Fields;
  at[last] = value;
}

/** Takes away what is at a dotted path. */
export function removeAt(data: Fields, path: string): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at: unknown = data;
  for (const step of steps) at = isFields(at) ? at[step] : undefined;
  if (isFields(at)) delete at[last];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
