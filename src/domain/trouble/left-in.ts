import type { Area } from '../area.js';
import { leftOf } from '../left-of.js';
import type { TroubleFacts } from './trouble-facts.js';

/** Records of an area that are to be sent; null: not counted. Pure. */
export function leftIn({ entities }: Pick<TroubleFacts, 'entities'>, area: Area): number | null {
  const counted = entities.flatMap((entity) =>
    entity.area === area && entity.counts ? [entity.counts] : [],
  );
  if (counted.length === 0) return null;
  return counted.reduce((sum, each) => sum + leftOf(each), 0);
}
