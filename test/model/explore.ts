import type { Protocol } from './protocol.js';
import { eachStep } from './steps.js';
import { decode, encode, firstWorld, WORDS, type Budget, type World } from './world-state.js';

export interface Exploration {
  readonly states: number;
  /** States in which nothing more happens by itself. */
  readonly quiet: number;
  /** Shortest way to a quiet state that is wrong, one line a step, the fault last; null: there is none. */
  readonly counterexample: readonly string[] | null;
  /** Whether calm steps alone can go on for ever. */
  readonly endless: boolean;
  state(index: number): World;
}

/** Says what is wrong with a quiet world; null: nothing. */
export type Judge = (world: World) => string | null;

/** Memory for states, doubled when it is full. */
interface Store {
  words: Uint32Array;
  parents: Int32Array;
  table: Int32Array;
  count: number;
}

/** Every state that can be reached, breadth first, each once; ends at the first quiet state that is wrong. */
export function explore(budget: Budget, protocol: Protocol, judge: Judge, checkEnds = true): Exploration {
  const store: Store = {
    words: new Uint32Array(WORDS << 16),
    parents: new Int32Array(1 << 16),
    table: new Int32Array(1 << 18),
    count: 0,
  };
  // Calm steps of the states in their order: where those of each begin, and where they lead.
  let begins = new Int32Array(1 << 16);
  let leads = new Int32Array(1 << 18);
  let edges = 0;
  let quiet = 0;
  add(store, firstWorld(budget), -1);
  const state = (index: number) => decode(store.words, index * WORDS);

  for (let at = 0; at < store.count; at += 1) {
    const world = state(at);
    let still = true;
    if (at + 1 >= begins.length) begins = grown(begins, Int32Array);
    begins[at] = edges;
    eachStep(world, protocol, (next, calm) => {
      const index = add(store, next, at);
      if (!calm) return;
      still = false;
      if (!checkEnds) return;
      if (edges === leads.length) leads = grown(leads, Int32Array);
      leads[edges] = index;
      edges += 1;
    });
    if (!still) continue;
    quiet += 1;
    const wrong = judge(world);
    if (wrong !== null) {
      const counterexample = [...trace(store, protocol, firstWorld(budget), at), wrong];
      return { states: store.count, quiet, counterexample, endless: false, state };
    }
  }
  begins[store.count] = edges;
  const endless = checkEnds && hasCycle(store.count, begins, leads);
  return { states: store.count, quiet, counterexample: null, endless, state };
}

function grown<T extends Int32Array | Uint32Array>(array: T, Type: new (length: number) => T): T {
  const larger = new Type(array.length * 2);
  larger.set(array);
  return larger;
}

function slotOf(store: Store, at: number): number {
  const { words, table } = store;
  let hash = 0;
  for (let n = 0; n < WORDS; n += 1) {
    hash = Math.imul(hash ^ (words[at + n] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (table.length - 1);
}

/** Index of the state, which is added when it is new. */
function add(store: Store, world: World, parent: number): number {
  if (store.count === store.parents.length) {
    store.parents = grown(store.parents, Int32Array);
    store.words = grown(store.words, Uint32Array);
  }
  if (store.count * 2 > store.table.length) rehash(store);
  const { words, table, parents } = store;
  const at = store.count * WORDS;
  encode(world, words, at);
  let slot = slotOf(store, at);
  for (;;) {
    const found = (table[slot] ?? 0) - 1;
    if (found < 0) break;
    const other = found * WORDS;
    if (
      words[other] === words[at] &&
      words[other + 1] === words[at + 1] &&
      words[other + 2] === words[at + 2] &&
      words[other + 3] === words[at + 3] &&
      words[other + 4] === words[at + 4] &&
      words[other + 5] === words[at + 5]
    ) {
      return found;
    }
    slot = (slot + 1) & (table.length - 1);
  }
  table[slot] = store.count + 1;
  parents[store.count] = parent;
  store.count += 1;
  return store.count - 1;
}

function rehash(store: Store): void {
  store.table = new Int32Array(store.table.length * 2);
  const { table } = store;
  for (let index = 0; index < store.count; index += 1) {
    let slot = slotOf(store, index * WORDS);
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
    table[slot] = index + 1;
  }
}

/** The steps that led to a state: they are taken again and compared, so that none has to be kept. */
function trace(store: Store, protocol: Protocol, first: World, at: number): string[] {
  const way: number[] = [];
  for (let index = at; index > 0; index = store.parents[index] ?? 0) way.unshift(index);
  const steps: string[] = [];
  const words = new Uint32Array(WORDS);
  let world = first;
  for (const index of way) {
    let taken: { next: World; text: string } | null = null;
    eachStep(world, protocol, (next, _calm, text) => {
      encode(next, words, 0);
      const same = words.every((word, n) => word === store.words[index * WORDS + n]);
      if (same) taken ??= { next, text: text() };
    });
    if (taken === null) throw new Error('the way to a state is lost');
    const { next, text } = taken as { next: World; text: string };
    steps.push(text);
    world = next;
  }
  return steps;
}

/** Whether the calm steps lead in a circle: states that no calm step leads to are taken away until none is left. */
function hasCycle(count: number, begins: Int32Array, leads: Int32Array): boolean {
  const incoming = new Int32Array(count);
  const end = begins[count] ?? 0;
  for (let edge = 0; edge < end; edge += 1) {
    const to = leads[edge] ?? 0;
    incoming[to] = (incoming[to] ?? 0) + 1;
  }
  const free: number[] = [];
  for (let index = 0; index < count; index += 1) if (incoming[index] === 0) free.push(index);
  let taken = 0;
  for (let index = free.pop(); index !== undefined; index = free.pop()) {
    taken += 1;
    for (let edge = begins[index] ?? 0; edge < (begins[index + 1] ?? 0); edge += 1) {
      const to = leads[edge] ?? 0;
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) free.push(to);
    }
  }
  return taken < count;
}
