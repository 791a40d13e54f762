import type { EntityContract, OperationName } from '../contract/operation.js';

/**
 * How a value that was sent is compared with the value that is read back.
 * - `text`: line ends and blanks at both ends do not count; services trim them.
 * - `word`: to the letter.
 * - `country`: a code of ISO 3166 in any case; null is sent for the home country, which a reply names.
 * - `status`: as `word`, but the service itself ends a record after its last day (`expired`).
 * - `number`: by value, also where one of them is written as text (`4500000.00`).
 * - `degrees`: by value, to a millionth of a degree.
 * - `flag`: true or false, also written as 0 and 1.
 * - `date`: the day; a time behind it does not count.
 * - `uuid`: in any case.
 * - `any`: as `number` where both are numbers, else the same JSON.
 * - `picture`: the service hosts pictures itself under another address, so only that there is one.
 * - `list`: the same words in any order and case, with any sign between their parts.
 */
export type ReadBackRule =
  | 'text'
  | 'word'
  | 'country'
  | 'status'
  | 'number'
  | 'degrees'
  | 'flag'
  | 'date'
  | 'uuid'
  | 'any'
  | 'picture'
  | 'list';

/** One field of the body, and where the contract's Find shows it. */
export interface ReadBackField {
  /** Path in the body that is sent: `region.id`. */
  readonly sent: string;
  /** Path in `data` of the Find: `employer.region.regionable_id`. Null: the contract's Find does not show it. */
  readonly read: string | null;
  readonly rule: ReadBackRule;
}

/** Where `data` of the Find shows the links of a record. */
interface LinkPaths {
  readonly id: string;
  readonly reference: string;
  /** The clients that own the record and the ones that it names; absent: a reply shows none. */
  readonly clientIds?: readonly string[];
  /** When the record’s region was deleted; absent: a reply shows none. */
  readonly regionDeletedAt?: string;
}

/** What a difference in `regionDeletedAt` is called. Sending the record again changes nothing. */
export const REGION_DELETED = 'region.deleted_at';

/** How records of an entity are read back. */
export interface ReadBack {
  readonly find: OperationName;
  readonly fields: readonly ReadBackField[];
  readonly linkPaths: LinkPaths;
  /**
   * Paths of the objects in `data` that may bear the fields of a record, the innermost first; empty for `data` itself.
   * A service may show a field in another of them, or under the name that it has in the request.
   */
  readonly containers: readonly string[];
}

/**
 * How records are read back by the contract's Find.
 *
 * @param linkPaths assumed: the `id` and `reference` of a Put's result are those of the record that bears both
 */
export function readBackOf(
  { name, noun, operations }: EntityContract,
  linkPaths: LinkPaths,
  fields: readonly ReadBackField[],
): ReadBack {
  const find = operations.find(({ kind }) => kind === 'GET');
  if (find === undefined) throw new TypeError(`the contract of ${name} has no Find`);
  return { find: find.name, fields, linkPaths, containers: containersOf(linkPaths, noun.one) };
}

/** The objects around the record's links; and those that bear the record's name, as some services wrap it. */
function containersOf({ id }: LinkPaths, noun: string): readonly string[] {
  const steps = id.split('.').slice(0, -1);
  const around = steps.map((_, index) => steps.slice(0, steps.length - index).join('.'));
  const wrappers = [...noun.split(' '), noun.replaceAll(' ', '_'), 'attributes'];
  return [...new Set([...around, '', ...wrappers])];
}

/** Fields that are read under their own names, behind `prefix`. */
export function sameNames(rule: ReadBackRule, prefix: string, ...names: readonly string[]): ReadBackField[] {
  return names.map((name) => ({ sent: name, read: `${prefix}${name}`, rule }));
}

/** Fields that the contract's Find does not show; a service may show them as the request has them. */
export function unshown(rule: ReadBackRule, ...names: readonly string[]): ReadBackField[] {
  return names.map((name) => ({ sent: name, read: null, rule }));
}

/** A region, which the region record behind `prefix` shows without its country. */
export function regionFields(prefix: string): ReadBackField[] {
  return [
    { sent: 'region.type', read: `${prefix}region.regionable_type`, rule: 'word' },
    { sent: 'region.id', read: `${prefix}region.regionable_id`, rule: 'uuid' },
  ];
}
