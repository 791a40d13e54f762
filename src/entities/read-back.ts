import type { EntityContract } from '../contract/entity-contract.js';
import type { OperationName } from '../contract/operation.js';

/**
 * How a value that was sent is compared with the value that is read back.
 * - `text`: line ends and blanks at both ends do not count; services trim them.
 * - `word`: to the letter.
 * - `status`: as `word`, but the service itself ends a record after its last day (`expired`).
 * - `number`: by value, also where one of them is written as text (`4500000.00`).
 * - `degrees`: by value, to a millionth of a degree.
 * - `flag`: true or false, also written as 0 and 1.
 * - `date`: the day; a time behind it does not count.
 * - `uuid`: in any case.
 * - `any`: as `number` where both are numbers, else the same JSON.
 * - `picture`: the service hosts pictures itself under another address, so only that there is one.
 */
export const READ_BACK_RULES = [
  'text',
  'word',
  'status',
  'number',
  'degrees',
  'flag',
  'date',
  'uuid',
  'any',
  'picture',
] as const;

export type ReadBackRule = (typeof READ_BACK_RULES)[number];

/** One field of the body, and where the Find shows it. */
export interface ReadBackField {
  /** Path in the body that is sent: `region.id`. */
  readonly sent: string;
  /** Path in `data` of the Find: `employer.region.regionable_id`. */
  readonly read: string;
  readonly rule: ReadBackRule;
}

/** Where `data` of the Find shows what a Put would return as `id` and `reference`. */
export interface Links {
  readonly id: string;
  readonly reference: string;
}

/** How records of an entity are read back. */
export interface ReadBack {
  readonly find: OperationName;
  /** The Find does not show fields that are missing here. */
  readonly fields: readonly ReadBackField[];
  readonly linkPaths: Links;
}

/**
 * How records are read back by the contract's Find.
 *
 * @param linkPaths assumed: the `id` and `reference` of a Put's result are those of the record that bears both
 */
export function readBackOf(
  { name, operations }: EntityContract,
  linkPaths: Links,
  fields: readonly ReadBackField[],
): ReadBack {
  const find = operations.find(({ kind }) => kind === 'GET');
  if (find === undefined) throw new TypeError(`the contract of ${name} has no Find`);
  return { find: find.name, fields, linkPaths };
}

/** Fields that are read under their own names, behind `prefix`. */
export function sameNames(rule: ReadBackRule, prefix: string, ...names: readonly string[]): ReadBackField[] {
  return names.map((name) => ({ sent: name, read: `${prefix}${name}`, rule }));
}

/** A region, which the region record behind `prefix` shows without its country. */
export function regionFields(prefix: string): ReadBackField[] {
  return [
    { sent: 'region.type', read: `${prefix}region.regionable_type`, rule: 'word' },
    { sent: 'region.id', read: `${prefix}region.regionable_id`, rule: 'uuid' },
  ];
}
