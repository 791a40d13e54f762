import type { Words } from '../../domain/trouble/consequences.js';
import type { Page } from './page.js';

/** How texts about troubles name things on a page that is read at `now`. */
export function pageWords({ texts, format }: Page, now: Date): Words {
  return {
    entity: (name) => texts.entityName(name),
    area: (name) => texts.areaNames[name],
    number: (value) => format.number(value),
    when: (at) => format.age(at, now),
    span: (ms) => format.span(ms),
  };
}
