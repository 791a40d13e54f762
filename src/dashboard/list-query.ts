import { type EntityName, RECORD_STATUSES } from '../domain/names.js';
import type { ListPosition, RecordSelection } from '../ports/record-lists.js';

/** Orders of a list by the word in its address. */
export const ORDERS = {
  key: { sort: 'key', descending: false },
  'key-last': { sort: 'key', descending: true },
  newest: { sort: 'attempt', descending: true },
  oldest: { sort: 'attempt', descending: false },
} as const satisfies Readonly<Record<string, Pick<RecordSelection, 'sort' | 'descending'>>>;

export type ListOrder = keyof typeof ORDERS;

/** What the address of a list asks for. */
export interface ListQuery extends Pick<RecordSelection, 'status' | 'search' | 'reason'> {
  readonly entity: EntityName;
  readonly order: ListOrder;
  /** The record before the first of the page; null: from the beginning. */
  readonly after: ListPosition | null;
  /** Every record of the page is selected. */
  readonly selected: boolean;
}

/** Longest text that is searched for. */
const LONGEST = 200;

/** Reads an address; without an entity the first one. Null: it names something that does not exist. Pure. */
export function readListQuery(query: URLSearchParams, entities: readonly EntityName[]): ListQuery | null {
  const text = (name: string) => (query.get(name) ?? '').replaceAll('\0', '');
  const asked = text('entity') || entities[0];
  const entity = entities.find((name) => name === asked);
  const status = RECORD_STATUSES.find((name) => name === text('status')) ?? null;
  const order = text('order') || 'key';
  if (entity === undefined || !Object.hasOwn(ORDERS, order) || (status === null && text('status') !== ''))
    return null;
  const after = text('after');
  const attempted = text('at');
  if (!/^\d{0,16}$/.test(attempted)) return null;
  return {
    entity,
    status,
    search: text('find').trim().slice(0, LONGEST) || null,
    reason: text('reason').trim().slice(0, LONGEST) || null,
    order: order as ListOrder,
    after: after === '' ? null : { key: after, attemptedUs: attempted === '' ? null : Number(attempted) },
    selected: text('select') === 'all',
  };
}
