/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Random {
  /** Whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True with this probability (0 to 1). */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items, in the order of the list. */
  sample<Item>(items: readonly Item[], count: number): Item[];
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Text of the form of a version 4 UUID. */
  uuid(): string;
  /** That many decimal digits, the first not 0. */
  digits(count: number): string;
}

/** A small generator (mulberry32): good enough to make records look different, not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[integer(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const shuffle = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, order: next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  const hex = (length: number) => Array.from({ length }, () => integer(0, 15).toString(16)).join('');
  return {
    integer,
    chance: (probability) => next() < probability,
    pick,
    sample: (items, count) => {
      const chosen = new Set(shuffle(items).slice(0, count));
      return items.filter((item) => chosen.has(item));
    },
    shuffle,
    uuid: () => [hex(8), hex(4), `4${hex(3)}`, `${pick(['8', '9', 'a', 'b'])}${hex(3)}`, hex(12)].join('-'),
    digits: (count) =>
      String(integer(1, 9)) + Array.from({ length: count - 1 }, () => integer(0, 9)).join(''),
  };
}
