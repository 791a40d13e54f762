import type { EntityName } from '../core/domain/names.js';
import { LOOK_OUTCOMES, type LookOutcome } from '../features/verify/verify-records.js';
import type { Page } from './pages/elements.js';

/** What a button did; part of the address of the next page. */
export type Done =
  | { readonly done: 'run' | 'underWay' | 'noneSelected' }
  | {
      readonly done: 'retry' | 'resyncSelected' | 'checked';
      readonly entity: EntityName;
      readonly count: number;
    }
  | { readonly done: 'approve' | 'approveNothing' | 'approveGrown'; readonly entity: EntityName }
  | { readonly done: 'resync' | 'resyncNothing'; readonly key: string }
  | { readonly done: 'look'; readonly outcome: LookOutcome; readonly key: string };

/** Also the selection: an action was done to it. */
const NAMES = ['done', 'count', 'of', 'outcome', 'lang', 'select'];

const COUNT = /^\d{1,12}$/;

/** Path and query of an address, without the message of a button. */
export function withoutDone(address: string): string {
  if (!URL.canParse(address, 'http://dashboard')) return '/';
  const { pathname: asked, searchParams } = new URL(address, 'http://dashboard');
  // A browser would read two slashes as the start of a host name.
  const pathname = asked.replace(/^\/+/, '/');
  for (const name of NAMES) searchParams.delete(name);
  const query = searchParams.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}

export function withDone(path: string, done: Done): string {
  const url = new URL(path, 'http://dashboard');
  url.searchParams.set('done', done.done);
  if ('count' in done) url.searchParams.set('count', String(done.count));
  if ('outcome' in done) url.searchParams.set('outcome', done.outcome);
  if ('entity' in done) url.searchParams.set('of', done.entity);
  return url.pathname + url.search;
}

/** The sentence for it; null: no button was pressed, or the address is not one of ours. */
export function doneMessage({ texts, format, entities }: Page, query: URLSearchParams): string | null {
  const of = entities.find((name) => name === query.get('of'));
  const name = of === undefined ? null : texts.entityName(of);
  const count = query.get('count') ?? '';
  const key = query.get('key');
  const { done } = texts;
  const what = query.get('done') as Done['done'] | null;
  switch (what) {
    case 'run':
    case 'underWay':
    case 'noneSelected':
      return done[what];
    case 'retry':
    case 'resyncSelected':
    case 'checked':
      return name === null || !COUNT.test(count) ? null : done[what](format.number(Number(count)), name);
    case 'approve':
    case 'approveGrown':
    case 'approveNothing':
      return name === null ? null : done[what](name);
    case 'resync':
    case 'resyncNothing':
      return key === null ? null : done[what](key);
    case 'look': {
      const outcome = LOOK_OUTCOMES.find((one) => one === query.get('outcome'));
      return key === null || outcome === undefined ? null : done.look[outcome](key);
    }
    case null:
    default:
      return null;
  }
}
