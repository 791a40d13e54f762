import { SyncError } from '../../core/domain/errors.js';
import type { VanishedSettings } from '../../core/domain/guard.js';
import type { EntityName } from '../../core/domain/names.js';
import type { Entity, MapContext } from '../../core/entities/entity.js';
import type { EntityQuery } from '../../core/ports/source.js';

export type Level = 'pass' | 'warn' | 'fail';

/** What one check found. Holds names of tables and columns, codes, counts and keys; no value of a person. */
export interface Finding {
  readonly id: string;
  readonly level: Level;
  /** Null: not about one entity. */
  readonly entity: EntityName | null;
  readonly message: string;
  /** What to do about it; null: nothing. */
  readonly hint: string | null;
  /** Records that it is about; null: it is not about records. */
  readonly count: number | null;
  /** Keys of some of them. */
  readonly sample: readonly string[];
  /** What the message is made of, each on a line of its own below it; a program gets both as one text. */
  readonly lines?: readonly string[];
  /** The check could not be done. */
  readonly undone?: true;
}

/** A finding before the check's id and its entity are put to it. */
export type Verdict = Omit<Finding, 'id' | 'entity'>;

interface About {
  readonly count?: number;
  readonly sample?: readonly string[];
}

export function pass(message: string, about?: About): Verdict {
  return verdict('pass', message, null, about);
}

export function warn(message: string, hint: string | null, about?: About): Verdict {
  return verdict('warn', message, hint, about);
}

export function fail(message: string, hint: string | null, about?: About): Verdict {
  return verdict('fail', message, hint, about);
}

/** A verdict about all that the check looked at, or about some records. */
export function verdict(
  level: Level,
  message: string,
  hint: string | null,
  { count, sample = [] }: About = {},
): Verdict {
  return { level, message, hint, count: count ?? null, sample };
}

/** A check that could not be done, with the cause, which may be a sentence. */
export function undone(cause: string): Verdict {
  const text = cause.replace(/\.$/, '');
  return { ...warn(`not checked: ${text}`, null), undone: true };
}

/** A fact, or why it is not known. A fact that cannot be read never ends the reading of the others. */
export type Fact<T> = { readonly value: T } | { readonly cause: string; readonly hint?: string | undefined };

export function unread(
  cause: string,
  hint?: string,
): { readonly cause: string; readonly hint?: string | undefined } {
  return { cause, hint };
}

/**
 * A fact, or the message of the error that kept it from being read; only an abort is one. A lost connection ends all that
 * are read after it, each with the same cause.
 */
export async function learn<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<Fact<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (signal?.aborted) throw error;
    return unread((error as Error).message, error instanceof SyncError ? error.hint : undefined);
  }
}

/** The verdicts on a fact; a fact that is not known makes the check undone. */
export function judged<T>(fact: Fact<T>, judge: (value: T) => readonly Verdict[]): readonly Verdict[] {
  return 'value' in fact ? judge(fact.value) : [undone(fact.cause)];
}

/** An entity with what the partner configured for it. */
export interface DoctorEntity extends Entity, Pick<VanishedSettings, 'onVanished'> {
  readonly query: EntityQuery;
  readonly mapContext: MapContext;
  /** Application statuses: sends only those whose application came by webhook. */
  readonly requireInbox: boolean;
}
