import { NOTHING, payloadOf, type Hash, type SourceValue } from './hash.js';
import { CURRENT, FIRST_DEADLINE, NO_ROW, OLDER, PASSED, type Row } from './ledger-row.js';

/** What the client of an attempt knows: it is gone, it waits for the reply, or it has an outcome that is not written. */
export const GONE = 0;
export const AWAITING = 1;
/** From here on: an outcome by the reply, see `REPLIES`. */
export const FIRST_REPLY = 2;

export const NO_DOUBT = 0;
export const DOUBTED = 1;
export const VERIFIED = 2;

export interface Attempt {
  sent: Hash;
  /** Sent under the other parent. */
  moved: boolean;
  /** The first parent's reference in the body; 0: the first one, or that of the other parent. */
  reference: number;
  /** Claimed under the token that the push lease has now. */
  current: boolean;
  client: number;
  /** Nobody waits for it any more, and it may still arrive. */
  late: boolean;
  /** Twice the time-out has passed since the claim. */
  expired: boolean;
  /** The record had been tried before. */
  triedBefore: boolean;
  /** For the reader of a trace; no part of the state. */
  number: number;
}

/** What may still go wrong. */
export interface Budget {
  readonly edits: number;
  readonly faults: number;
  /** Kills of the pusher and changes of the lease. */
  readonly kills: number;
  readonly refusals: number;
  readonly resends: number;
  readonly parents: number;
  /** The ledger goes back to an earlier state: a restored backup, or a fail-over. Not under `close`. */
  readonly restores: number;
  /** What was accepted is put again unchanged, to see whether others pass. */
  readonly controls: number;
}

/** One record, its parent's reference, its row of the ledger, the requests under way and the platform. */
export interface World {
  source: SourceValue;
  /** Reference that the first parent has, as a number of `REFERENCES`. */
  parent: number;
  /** Of what vanished, the closing that a sweep has made and not published yet; 0: none. */
  staged: Hash;
  /** It goes out under the other parent. */
  stagedMoved: boolean;
  platform: Hash;
  /** The parent's reference in what the platform holds; 0 also when it holds nothing. */
  platformReference: number;
  /** Which hash was accepted last, by the outcomes that counted; 0: none. Kept apart from the row, for the judge. */
  accepted: Hash;
  /** A sweep closed something else than that, or, of what was never accepted, than what was desired. For the judge too. */
  misclosed: boolean;
  /** The parent's reference changed while the record was closed, and nothing of it was accepted since. For the judge. */
  closedBefore: boolean;
  /** Bit n: the platform refuses hash n from now on. */
  refuses: number;
  alive: boolean;
  /** Whoever holds the push lease has ended older claims. */
  tookOver: boolean;
  edits: number;
  faults: number;
  kills: number;
  refusals: number;
  resends: number;
  parents: number;
  restores: number;
  controls: number;
  /** The open claim is that of a control; meaningless while unclaimed. */
  isControl: boolean;
  /** The ledger as it can come back; null: it cannot. */
  kept: Row | null;
  /** It was kept under the acquisition of the push lease that holds now. */
  keptHeld: boolean;
  /** It came back, and what it says is to be compared with the platform; that was done. */
  doubt: typeof NO_DOUBT | typeof DOUBTED | typeof VERIFIED;
  /** A former holder lives whose token was handed out again. */
  stray: boolean;
  /** Two processes have claimed under the push lease at the same time. */
  split: boolean;
  row: Row;
  /** In the order of their claims. */
  attempts: Attempt[];
  /** For the reader of a trace; no part of the state. */
  claims: number;
}

/** A record that is new in the source, and a platform that knows nothing of it. */
export function firstWorld(budget: Budget): World {
  return {
    source: 1,
    parent: 0,
    staged: 0,
    stagedMoved: false,
    platform: 0,
    platformReference: 0,
    accepted: 0,
    misclosed: false,
    closedBefore: false,
    refuses: 0,
    alive: true,
    tookOver: true,
    ...budget,
    isControl: false,
    kept: null,
    keptHeld: false,
    doubt: NO_DOUBT,
    stray: false,
    split: false,
    row: { ...NO_ROW },
    attempts: [],
    claims: 0,
  };
}

/** 32-bit words of one state. */
export const WORDS = 6;
/** Requests that can make a difference at the same time. */
export const MOST_ATTEMPTS = 6;

const bit = (value: boolean) => (value ? 1 : 0);

/** Writes the state into `words` at `at`. Exact: `decode` gives it back. */
export function encode(world: World, words: Uint32Array, at: number): void {
  const { row, attempts } = world;
  if (attempts.length > MOST_ATTEMPTS) throw new Error('more attempts than a state has room for');
  let w = world.source;
  w = (w << 1) | world.parent;
  w = (w << 3) | world.platform;
  w = (w << 2) | world.platformReference;
  w = (w << 3) | world.accepted;
  w = (w << 7) | (world.refuses >> 1);
  w = (w << 1) | bit(world.alive);
  w = (w << 1) | bit(world.tookOver);
  w = (w << 2) | world.edits;
  w = (w << 2) | world.faults;
  w = (w << 2) | world.kills;
  w = (w << 2) | world.refusals;
  w = (w << 2) | world.resends;
  w = (w << 1) | world.parents;
  words[at] = w;
  words[at + 1] =
    encodeRow(row) | (world.restores << 29) | (bit(world.stray) << 30) | (bit(world.split) << 31);
  words[at + 2] =
    (attempts.length << 29) |
    (bit(world.misclosed) << 28) |
    (bit(world.closedBefore) << 27) |
    (row.confirmHash << 24) |
    (encodeAttempt(attempts[0]) << 12) |
    encodeAttempt(attempts[1]);
  words[at + 3] =
    (world.doubt << 28) |
    (bit(world.stagedMoved) << 27) |
    (row.desiredPayload << 24) |
    (encodeAttempt(attempts[2]) << 12) |
    encodeAttempt(attempts[3]);
  words[at + 4] =
    (world.controls << 30) |
    (world.staged << 27) |
    (row.acknowledgedPayload << 24) |
    (encodeAttempt(attempts[4]) << 12) |
    encodeAttempt(attempts[5]);
  const kept = world.kept ? encodeRow(world.kept) | (1 << 29) | (bit(world.keptHeld) << 30) : 0;
  words[at + 5] = kept | (bit(world.isControl) << 31);
}

/** Everything of the row but its payloads and `confirmHash`, in 29 bits. */
export function encodeRow(row: Row): number {
  let w = bit(row.knownMoved);
  w = (w << 1) | bit(row.moved);
  w = (w << 1) | bit(row.exists);
  w = (w << 3) | row.desired;
  w = (w << 3) | row.acknowledged;
  w = (w << 1) | bit(row.known);
  w = (w << 3) | row.refused;
  w = (w << 1) | bit(row.vanished);
  w = (w << 1) | bit(row.invalid);
  w = (w << 2) | row.claim;
  w = (w << 3) | row.last;
  w = (w << 1) | bit(row.due);
  w = (w << 1) | bit(row.tried);
  w = (w << 3) | row.confirm;
  w = (w << 1) | bit(row.confirmDelayed);
  w = (w << 1) | bit(row.deferred);
  w = (w << 2) | row.attempts;
  return w;
}

type BesideRowWord = Pick<Row, 'desiredPayload' | 'acknowledgedPayload' | 'confirmHash'>;

const NO_PAYLOADS = { desiredPayload: NOTHING, acknowledgedPayload: NOTHING, confirmHash: NOTHING };

/** What is forgotten of payloads under every policy but `close`. */
const withPayloads = (row: Row): Row => ({ ...row, desiredPayload: payloadOf(row.desired) });

function decodeRow(word: number, beside: BesideRowWord): Row {
  return {
    knownMoved: ((word >>> 28) & 1) === 1,
    moved: ((word >>> 27) & 1) === 1,
    exists: ((word >>> 26) & 1) === 1,
    desired: (word >>> 23) & 7,
    acknowledged: (word >>> 20) & 7,
    known: ((word >>> 19) & 1) === 1,
    refused: (word >>> 16) & 7,
    vanished: ((word >>> 15) & 1) === 1,
    invalid: ((word >>> 14) & 1) === 1,
    claim: (word >>> 12) & 3,
    last: (word >>> 9) & 7,
    due: ((word >>> 8) & 1) === 1,
    tried: ((word >>> 7) & 1) === 1,
    confirm: (word >>> 4) & 7,
    confirmDelayed: ((word >>> 3) & 1) === 1,
    deferred: ((word >>> 2) & 1) === 1,
    attempts: word & 3,
    ...beside,
  };
}

function encodeAttempt(attempt: Attempt | undefined): number {
  if (attempt === undefined) return 0;
  let w = bit(attempt.moved);
  w = (w << 3) | attempt.sent;
  w = (w << 1) | attempt.reference;
  w = (w << 1) | bit(attempt.current);
  w = (w << 3) | attempt.client;
  w = (w << 1) | bit(attempt.late);
  w = (w << 1) | bit(attempt.expired);
  w = (w << 1) | bit(attempt.triedBefore);
  return w;
}

function decodeAttempt(w: number): Attempt {
  return {
    moved: ((w >>> 11) & 1) === 1,
    sent: (w >>> 8) & 7,
    reference: (w >>> 7) & 1,
    current: ((w >>> 6) & 1) === 1,
    client: (w >>> 3) & 7,
    late: ((w >>> 2) & 1) === 1,
    expired: ((w >>> 1) & 1) === 1,
    triedBefore: (w & 1) === 1,
    number: 0,
  };
}

export function decode(words: Uint32Array, at: number): World {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = words.subarray(at, at + WORDS);
  const count = c >>> 29;
  const attempts: Attempt[] = [];
  for (let n = 0; n < count; n += 1) {
    attempts.push(decodeAttempt(((words[at + 2 + (n >> 1)] ?? 0) >>> (n % 2 === 0 ? 12 : 0)) & 4095));
  }
  return {
    source: a >>> 29,
    parent: (a >>> 28) & 1,
    staged: (e >>> 27) & 7,
    stagedMoved: ((d >>> 27) & 1) === 1,
    platform: (a >>> 25) & 7,
    platformReference: (a >>> 23) & 3,
    accepted: (a >>> 20) & 7,
    misclosed: ((c >>> 28) & 1) === 1,
    closedBefore: ((c >>> 27) & 1) === 1,
    refuses: ((a >>> 13) & 127) << 1,
    alive: ((a >>> 12) & 1) === 1,
    tookOver: ((a >>> 11) & 1) === 1,
    edits: (a >>> 9) & 3,
    faults: (a >>> 7) & 3,
    kills: (a >>> 5) & 3,
    refusals: (a >>> 3) & 3,
    resends: (a >>> 1) & 3,
    parents: a & 1,
    restores: (b >>> 29) & 1,
    controls: (e >>> 30) & 1,
    isControl: f >>> 31 === 1,
    stray: ((b >>> 30) & 1) === 1,
    split: b >>> 31 === 1,
    doubt: ((d >>> 28) & 3) as World['doubt'],
    kept: (f >>> 29) & 1 ? withPayloads(decodeRow(f, NO_PAYLOADS)) : null,
    keptHeld: ((f >>> 30) & 1) === 1,
    row: decodeRow(b, {
      confirmHash: (c >>> 24) & 7,
      desiredPayload: (d >>> 24) & 7,
      acknowledgedPayload: (e >>> 24) & 7,
    }),
    attempts,
    claims: 0,
  };
}

export const copy = (world: World): World => ({
  ...world,
  row: { ...world.row },
  kept: world.kept && { ...world.kept },
  attempts: world.attempts.map((attempt) => ({ ...attempt })),
});

/** Nobody waits any more for what was claimed under the present token; it may still arrive. */
export function cutOff(next: World): void {
  for (const attempt of next.attempts.filter((each) => each.current)) {
    attempt.late ||= attempt.client === AWAITING;
    attempt.client = GONE;
  }
}

export function acquire(next: World): void {
  next.alive = true;
  next.tookOver = false;
  for (const attempt of next.attempts) attempt.current = false;
  if (next.row.claim === CURRENT) next.row.claim = OLDER;
  if (next.kept?.claim === CURRENT) next.kept.claim = OLDER;
  next.keptHeld = false;
}

/** Deadline of the attempt that has the record, as a time of confirmation. */
export function deadlineOfClaim({ row, attempts }: World): number {
  return attempts[row.last]?.expired === true ? PASSED : FIRST_DEADLINE + row.last;
}

export const sentByClaim = ({ row, attempts }: World) => attempts[row.last]?.sent ?? 0;
