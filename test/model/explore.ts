import type { VanishedPolicy } from '../../src/domain/guard.js';
import type { KnownPayloads, LedgerEntry, StagedFinding } from '../../src/ports/ledger.js';
import { examineRow } from '../../src/sync/sweep/examine-row.js';
import { vanishedFinding } from '../../src/sync/sweep/read-changes.js';
import type { Row, RowFinding } from './ledger-row.js';
import type { Protocol } from './protocol.js';
import type { Rules } from './rules.js';
import {
  configured,
  hashCode,
  HASHES,
  INVALID,
  KEY,
  OTHER_PARENT_ID,
  parentId,
  payloadCode,
  PAYLOADS,
  PLATFORM_ID,
  rowOf,
  type SourceValue,
} from './samples.js';
import { eachStep } from './steps.js';
import { type Budget, decode, encode, firstWorld, WORDS, type World } from './world-state.js';

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

/** What a sweep makes of a row: by the product's own functions, in the model's numbers. Each answer is kept. */

/** What a sweep learns from the ledger about the payloads of a record. */
export function knownPayloads(row: Row): KnownPayloads {
  const accepted = row.known ? row.acknowledgedPayload || row.desiredPayload : NOTHING;
  return {
    desired: PAYLOADS[row.desiredPayload] ?? null,
    acknowledged: PAYLOADS[accepted] ?? null,
    deleted: row.acknowledged === ABSENT,
    parentPlatformId: parentId(row.moved),
    acknowledgedParentPlatformId: parentId(row.known ? row.knownMoved : row.moved),
  };
}

/** What a sweep finds of the record; null: nothing to publish. */
export function findingFor(
  source: SourceValue,
  row: Row,
  policy: VanishedPolicy,
  payloads = knownPayloads,
): StagedFinding | null {
  const known: LedgerEntry | null = row.exists
    ? {
        key: KEY,
        rowVersion: 'same',
        vanished: row.vanished,
        invalid: row.invalid,
        desiredHash: HASHES[row.desired] ?? null,
        sendable: false,
        payloadDropped: false,
        noted: null,
      }
    : null;
  if (source === NOTHING) {
    if (known === null || known.vanished || policy === 'ignore') return null;
    return vanishedFinding({ ...configured, onVanished: policy }, known, payloads(row), '2026-01-01').finding;
  }
  if (source === INVALID && row.invalid) return null;
  const { finding } = examineRow({
    entity: configured,
    source: { key: KEY, rowVersion: 'same', row: rowOf(source) },
    known,
    noted: null,
    platformId: PLATFORM_ID,
    idsMayDiffer: false,
    now: '2026-01-01 00:00:00',
  });
  return finding;
}

/** `isExact`: its hash is that of its payload under that payload's own parent, unless a rule is taken out. */
export function rowFinding(finding: StagedFinding, isExact = true): RowFinding {
  const { kind, desiredHash, desiredPayload, parentPlatformId } = finding;
  if (kind === 'touched') throw new Error('nothing is touched here');
  const payload = payloadCode(desiredPayload);
  const desired = isExact || payload === NOTHING ? hashCode(desiredHash) : payload;
  return {
    kind,
    desired,
    payload,
    moved: parentPlatformId === null ? null : parentPlatformId === OTHER_PARENT_ID,
  };
}

/** Findings of one policy, with rules taken out. */
export function createFindings(
  policy: VanishedPolicy,
  { closes, closesUnder, keepsAccepted }: Rules,
): (source: SourceValue, row: Row) => RowFinding | null {
  const underAccepted = closesUnder === 'accepted';
  const isExact = underAccepted && keepsAccepted;
  const payloads = (row: Row) => {
    const known = knownPayloads(row);
    return {
      ...known,
      acknowledged: closes === 'accepted' ? known.acknowledged : null,
      acknowledgedParentPlatformId: underAccepted
        ? known.acknowledgedParentPlatformId
        : known.parentPlatformId,
    };
  };
  const findings = new Map<number, RowFinding | null>();
  return (source, row) => {
    const index = indexOf(source, row);
    let found = findings.get(index);
    if (found === undefined) {
      const finding = findingFor(source, row, policy, payloads);
      findings.set(index, (found = finding && rowFinding(finding, isExact)));
    }
    return found;
  };
}

/** All that a finding depends on. */
function indexOf(source: SourceValue, row: Row): number {
  let index = source;
  index = (index << 3) | row.desired;
  index = (index << 3) | row.desiredPayload;
  index = (index << 3) | row.acknowledged;
  index = (index << 3) | row.acknowledgedPayload;
  for (const fact of [row.exists, row.vanished, row.invalid, row.known, row.knownMoved, row.moved]) {
    index = (index << 1) | (fact ? 1 : 0);
  }
  return index;
}

/**
 * A hash: 0 null, 1 to 3 payloads, 4 the hash of "absent", 5 to 7 payloads 1 to 3 with the status of what is closed.
 * Payloads 1 and 2 are of one parent, payload 3 of another. Payloads themselves have the same numbers.
 */
export type Hash = number;
export const NOTHING = 0;
export const OF_OTHER_PARENT = 3;
export const ABSENT = 4;
const FIRST_CLOSED = 5;

export const isClosed = (hash: Hash): boolean => hash >= FIRST_CLOSED;
/** What has a payload; closing it once more changes nothing. */
export const closedOf = (hash: Hash): Hash => (isClosed(hash) ? hash : hash + FIRST_CLOSED - 1);
/** The number of its payload; 0: it has none. */
export const payloadOf = (hash: Hash): Hash => (hash === ABSENT ? NOTHING : hash);
export const isOfOtherParent = (hash: Hash): boolean =>
  hash === OF_OTHER_PARENT || hash === closedOf(OF_OTHER_PARENT);

/** Words for the reader of a trace. */
const PAYLOAD_NAMES = ['nothing', 'A', 'B', 'C of the other parent'];
const SOURCES = [...PAYLOAD_NAMES, 'A with the closed status', 'an invalid row'];
const REQUESTS = [...PAYLOAD_NAMES, 'a deletion', 'A, closed', 'B, closed', 'C of the other parent, closed'];
export const named = (hash: Hash) => REQUESTS[hash] ?? '?';
export const namedSource = (source: SourceValue) => SOURCES[source] ?? '?';
