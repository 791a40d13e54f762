import { isJsonObject, type JsonObject, type JsonValue } from '../domain/row.js';
import type { ReadBack, ReadBackField } from './read-back.js';

/*
 * Where a reply to a Find shows the fields of a record.
 */

/** Whether a reply shows any field of a record; one that shows none says nothing about it. */
export function showsAnything(readBack: Pick<ReadBack, 'fields' | 'containers'>, data: JsonObject): boolean {
  return readBack.fields.some((field) => shownValues(readBack, field, data).length > 0);
}

/** A value that a reply shows for a field. */
export interface ShownValue {
  readonly value: JsonValue;
  /** False: perhaps of something else, so that only an equal value says anything. */
  readonly sure: boolean;
}

/**
 * What a reply shows for a field of the body: where the contract's Find has it, and under both names, that of the Find
 * and that of the request, in every object that may bear the record's fields. None: it does not show the field.
 *
 * @param data `data` of the Find
 */
export function shownValues(
  { fields, containers }: Pick<ReadBack, 'fields' | 'containers'>,
  { sent, read }: Pick<ReadBackField, 'sent' | 'read'>,
  data: JsonObject,
): readonly ShownValue[] {
  const tail = read === null ? null : behind(containers, read);
  const values = containers.flatMap((container) => [
    ...(tail === null || tail === sent ? [] : shown(shownAt(data, container, tail), true)),
    ...shown(shownAt(data, container, sent), isOfTheRequest(fields, container, sent, data)),
  ]);
  return read === null ? values : [...shown(shownAt(data, '', read), true), ...values];
}

function shown(value: JsonValue | undefined, sure: boolean): readonly ShownValue[] {
  return value === undefined ? [] : [{ value, sure }];
}

/** The part of a path inside its innermost container. */
function behind(containers: readonly string[], path: string): string {
  const container = containers.find((each) => each !== '' && path.startsWith(`${each}.`));
  return container === undefined ? path : path.slice(container.length + 1);
}

/**
 * An object in a reply has an `id` of its own, such as that of a region record. It is the one of the request only if
 * the object has another field of the request too.
 */
function isOfTheRequest(
  fields: ReadBack['fields'],
  container: string,
  sent: string,
  data: JsonObject,
): boolean {
  if (!sent.endsWith('.id')) return true;
  const object = sent.slice(0, -'id'.length);
  return fields.some(
    (other) =>
      other.sent !== sent &&
      other.sent.startsWith(object) &&
      shownAt(data, container, other.sent) !== undefined,
  );
}

/**
 * What an object shows at a path inside one of its containers: the value, null for nothing (a null object is nothing
 * all the way down), undefined where it does not show the path at all.
 *
 * @param container dotted path of an object that must be there; empty: the object itself
 */
export function shownAt(object: JsonObject, container: string, path: string): JsonValue | undefined {
  const around = container === '' ? object : walk(object, container);
  return isJsonObject(around) ? walk(around, path) : undefined;
}

function walk(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue = object;
  for (const step of path.split('.')) {
    if (value === null) return null;
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step] ?? null;
  }
  return value;
}
