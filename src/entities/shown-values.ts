import type { JsonObject, JsonValue } from '../domain/json.js';
import type { ReadBack, ReadBackField } from './read-back.js';
import { shownAt } from './shown-at.js';

/** A value that a reply shows for a field. */
export interface ShownValue {
  readonly value: JsonValue;
  /** False: perhaps of something else, so that only an equal value says anything. */
  readonly sure: boolean;
}

/**
 * What a reply shows for a field of the body: where the contract's Find has it, and under both names, that of the Find
 * and that of the request, in every object that may bear the record's fields. None: it does not show the field. Pure.
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
