import { DRAFTINGS } from './drafting/all.js';
import type { Drafting, Target, TargetKind } from './drafting/drafting.js';
import type { Entity } from '../../core/entities/entity.js';
import { childrenOf, ENTITIES } from '../../core/entities/index.js';
import { singular, type Stems, stems } from './words.js';

/**
 * The entities that `init` looks for, and the words that each is known by: what `DRAFTINGS` says, ready to be
 * compared.
 */

/** An entity that `init` looks for, with what it knows of it ready to be compared. */
export interface Draftable extends Pick<Drafting, 'alias' | 'telling' | 'wanted' | 'fromParent'> {
  readonly name: string;
  readonly entity: Entity;
  readonly sure: Stems;
  readonly maybe: Stems;
  readonly prefixes: Stems;
  readonly parentWords: Stems;
  readonly targets: readonly NamedTarget[];
  /** A kind of record above or below: its tables may be called alike. */
  readonly rival: string | undefined;
}

/** A column that a draft may fill, with patterns of the names that it may have: words in the singular, joined by `_`. */
export interface NamedTarget {
  readonly name: string;
  readonly kind: TargetKind;
  readonly sure: RegExp;
  readonly maybe: RegExp;
}

/** In the order of the registry. */
export const DRAFTABLES: readonly Draftable[] = ENTITIES.flatMap(draftableOf);

/** For people: `companies, vacancies, institutions or trainings`. */
export const DRAFTED_NAMES = DRAFTABLES.map(({ name }) => name)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

/** Throws for an entity that `init` does not look for: no table is chosen for one. */
export function draftable(name: string): Draftable {
  const found = DRAFTABLES.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`init does not draft ${name}`);
  return found;
}

/** Whether `init` looks for this entity. */
export function isDrafted(name: string): boolean {
  return name in DRAFTINGS;
}

function draftableOf(entity: Entity): Draftable[] {
  const { name, parent } = entity;
  const drafting = DRAFTINGS[name];
  if (drafting === undefined) return [];
  const { tables, prefixes, parentWords, targets, ...rest } = drafting;
  return [
    {
      ...rest,
      name,
      entity,
      sure: stems(tables.sure),
      maybe: stems(tables.maybe),
      prefixes: prefixes === undefined ? [] : stems(prefixes),
      parentWords: parentWords === undefined ? [] : stems(parentWords),
      targets: targets.map(named),
      rival: parent?.entity ?? childrenOf(name).find((child) => child.name in DRAFTINGS)?.name,
    },
  ];
}

export function named({ name, kind, sure, maybe }: Target): NamedTarget {
  const whole = (text: string) => {
    const names = text.split(/\s+/).filter(Boolean);
    const singulars = names.map((each) => each.split('_').map(singular).join('_'));
    return new RegExp(`^(?:${singulars.join('|') || '(?!)'})$`);
  };
  return { name, kind, sure: whole(sure), maybe: whole(maybe) };
}
