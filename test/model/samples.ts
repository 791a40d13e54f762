import type { VanishedPolicy } from '../../src/domain/guard.js';
import { platformId } from '../../src/domain/key.js';
import { ABSENT_HASH, canonicalJson, hashPayload } from '../../src/domain/payload.js';
import type { JsonObject } from '../../src/domain/row.js';
import { vacancies } from '../../src/entities/vacancies.js';
import type { ConfiguredEntity } from '../../src/sync/run-context.js';
import {
  ABSENT,
  closedOf,
  type Exploration,
  type Hash,
  isOfOtherParent,
  NOTHING,
  OF_OTHER_PARENT,
  payloadOf,
} from './explore.js';
import {
  applyResend,
  close,
  confirmLater,
  CURRENT,
  FIRST_DEADLINE,
  isSettled,
  NO_CONFIRMATION,
  type Row,
  UNCLAIMED,
} from './ledger-row.js';
import type { Protocol } from './protocol.js';
import type { Rules } from './rules.js';
import { AWAITING, encodeRow, FIRST_REPLY, GONE, type World } from './world-state.js';

/** The vacancy and the two companies behind the model's numbers: rows, payloads and hashes as the product makes them. */

const NAMESPACE = '6f1f3a52-0d44-4d9b-9d57-3b1b6c1d7a10';
const COMPANIES = ['c', 'other'];
export const KEY = 'v';
const parentNamed = (key: string) => platformId('companies', key, NAMESPACE);
export const PARENT_ID = parentNamed('c');
export const OTHER_PARENT_ID = parentNamed('other');
export const parentId = (other: boolean): string => (other ? OTHER_PARENT_ID : PARENT_ID);
export const PLATFORM_ID = platformId('vacancies', KEY, NAMESPACE);
/** Two of the first parent, and that of the other. */
export const REFERENCES = ['first reference', 'second reference', 'reference of the other parent'];
export const REFERENCE_OF_OTHER = 2;

export const configured: ConfiguredEntity = {
  ...vacancies,
  query: { entity: 'vacancies', sql: '', file: 'queries/vacancies.sql', columns: [] },
  mapContext: { lookups: {}, plainText: [], required: null, namespace: NAMESPACE },
  onVanished: 'delete',
  closedStatus: 'closed',
  requireInbox: false,
  refreshAfterMs: null,
  fingerprint: '',
};

export const rowOf = (source: SourceValue) => ({
  key: KEY,
  company_key: COMPANIES[source === OF_OTHER_PARENT ? 1 : 0] ?? '',
  title: source === INVALID ? null : `Vacancy ${source === CLOSED_BY_SOURCE ? 1 : source}`,
  status: source === CLOSED_BY_SOURCE ? configured.closedStatus : 'open',
});

export const INVALID = 5;

const CLOSED_BY_SOURCE = 4;

const mapped = [1, 2, 3].map((source) => {
  const { payload } = vacancies.map(rowOf(source), configured.mapContext);
  if (payload === null) throw new Error('the sample row is invalid');
  return payload;
});
/** The payload of each hash; null: it has none. */
export const PAYLOADS: readonly (JsonObject | null)[] = [
  null,
  ...mapped,
  null,
  ...mapped.map((payload) => ({ ...payload, status: configured.closedStatus })),
];
export const HASHES: readonly (string | null)[] = PAYLOADS.map((payload, hash) =>
  hash === ABSENT
    ? ABSENT_HASH
    : payload && hashPayload(payload, { field: 'employer', platformId: parentId(isOfOtherParent(hash)) }),
);

export function hashCode(hash: string | null): Hash {
  const code = HASHES.indexOf(hash);
  if (code < 0) throw new Error(`unknown hash ${String(hash)}`);
  return code;
}

const texts = PAYLOADS.map((payload) => payload && canonicalJson(payload));
export function payloadCode(payload: JsonObject | null): Hash {
  const code = payload === null ? NOTHING : texts.indexOf(canonicalJson(payload));
  if (code < 0) throw new Error(`unknown payload ${JSON.stringify(payload)}`);
  return code;
}

/** A row as the exploration saw it, with what its statements need to know of the attempt that has claimed it. */
export interface RowCase {
  /** Deadlines: `FIRST_DEADLINE` one before that of the open claim, `OWN_DEADLINE` that of the claim. */
  readonly row: Row;
  readonly sent: number;
  readonly sentMoved: boolean;
  readonly triedBefore: boolean;
  /** The claim's deadline has passed. */
  readonly expired: boolean;
}

export const OWN_DEADLINE = FIRST_DEADLINE + 1;

/** Every distinct row of an exploration. */
export function rowCases(explorations: readonly Exploration[]): RowCase[] {
  const cases = new Map<string, RowCase>();
  for (const { states, state } of explorations) {
    for (let index = 0; index < states; index += 1) {
      const found = caseOf(state(index));
      const { row, sent, sentMoved, triedBefore, expired } = found;
      const { desiredPayload, acknowledgedPayload } = row;
      cases.set(
        [encodeRow(row), desiredPayload, acknowledgedPayload, sent, sentMoved, triedBefore, expired].join(),
        found,
      );
    }
  }
  return [...cases.values()];
}

function caseOf({ row, attempts }: World): RowCase {
  const claim = row.claim === UNCLAIMED ? undefined : attempts[row.last];
  return {
    row: { ...row, ...payloadsOf(row), last: 0, confirm: Math.min(row.confirm, FIRST_DEADLINE) },
    sent: claim?.sent ?? 0,
    sentMoved: claim?.moved ?? false,
    // Of a claim of an older token nobody knows it any more.
    triedBefore: row.claim === CURRENT && claim?.triedBefore === true,
    expired: claim?.expired ?? false,
  };
}

/** Where the exploration has forgotten them, payloads that the row may have: each of the parent that is noted. */
function payloadsOf(row: Row): Pick<Row, 'desiredPayload' | 'acknowledgedPayload'> {
  const some = (moved: boolean) => (moved ? OF_OTHER_PARENT : 1);
  const desiredPayload =
    row.desiredPayload || payloadOf(row.desired) || (row.tried || row.known ? some(row.moved) : NOTHING);
  const isOther = row.known && isOfOtherParent(desiredPayload) !== row.knownMoved;
  const acknowledgedPayload = row.acknowledgedPayload || (isOther ? some(row.knownMoved) : NOTHING);
  return { desiredPayload, acknowledgedPayload };
}

/** `verify --all --repair` after a restore. `same`: the platform holds what counts as acknowledged. */
export function verify(row: Row, same: boolean, deadline: number, rules: Rules, sent: Hash): void {
  if (!row.exists || rules.verified === 'none') return;
  if (isSettled(row) && row.claim === UNCLAIMED) {
    if (!same) applyResend(row, 'resync-key', NO_CONFIRMATION, rules, NOTHING);
  } else if (rules.verified === 'all') distrust(row, deadline, rules, sent);
}

/** Of what is not settled nothing is believed any more, and what is under way ends like an attempt without reply. */
export function distrust(row: Row, deadline: number, rules: Rules, sent: Hash): void {
  const over = isSettled(row) || (row.vanished && row.desired === row.acknowledged);
  if (!row.exists || (row.claim === UNCLAIMED && over)) return;
  confirmLater(row, deadline, rules, sent);
  close(row);
  row.acknowledged = NOTHING;
}

/**
 * What the source has of the record: nothing, one of the payloads 1 to 3, payload 1 with the status of what is closed,
 * or a row that fails validation. These are no hashes.
 */
export type SourceValue = number;

/** The hash of what the source wants; of nothing and of an invalid row: none. */
export function hashOfSource(source: SourceValue): Hash {
  if (source === CLOSED_BY_SOURCE) return closedOf(1);
  return source === INVALID ? NOTHING : source;
}

/** What an edit can bring. That the source closes a record makes a difference where the policy closes too. */
export const sourceValues = (policy: VanishedPolicy): readonly SourceValue[] =>
  policy === 'close' ? [0, 1, 2, 3, CLOSED_BY_SOURCE, INVALID] : [0, 1, 2, 3, INVALID];

/** Forgets what can make no difference any more, so that equal worlds look equal. */
export function tidy(world: World, { policy, rules }: Pick<Protocol, 'policy' | 'rules'>): void {
  forgetPayloads(world, policy, rules);
  const { row, kept, attempts } = world;
  const rows = kept ? [row, kept] : [row];
  const claimedBy = (at: number) => rows.some(({ claim, last }) => claim !== UNCLAIMED && last === at);
  const confirmedBy = (at: number) => rows.some(({ confirm }) => confirm === FIRST_DEADLINE + at);
  let gone = 0;
  attempts.forEach((attempt, at) => {
    const claimed = claimedBy(at);
    // An outcome that will not count is as good as none.
    if (attempt.client >= FIRST_REPLY && rules.fence && !claimed) attempt.client = GONE;
    const mayArrive = attempt.client === AWAITING || attempt.late;
    if (!mayArrive) attempt.reference = 0;
    if (attempt.client === GONE) {
      attempt.current = false;
      attempt.triedBefore = false;
      if (!attempt.late && !claimed && rules.confirm !== 'unless-accepted') attempt.sent = 0;
      if (!attempt.late && !claimed && !confirmedBy(at)) gone |= 1 << at;
    }
  });
  if (gone === 0) return;
  const places = attempts.map((_, at) => at).filter((at) => ((gone >> at) & 1) === 0);
  for (const each of rows) {
    if (each.claim !== UNCLAIMED) each.last = places.indexOf(each.last);
    if (each.confirm >= FIRST_DEADLINE) {
      each.confirm = FIRST_DEADLINE + places.indexOf(each.confirm - FIRST_DEADLINE);
    }
  }
  world.attempts = places.flatMap((at) => attempts[at] ?? []);
}

/** What was accepted is closed. Under the other policies nobody asks for payloads but of what is sent. */
function forgetPayloads(world: World, policy: VanishedPolicy, rules: Rules): void {
  const { row } = world;
  if (!row.exists) world.accepted = NOTHING;
  if (policy === 'close') return;
  world.accepted = NOTHING;
  row.acknowledgedPayload = NOTHING;
  if (rules.returns === 'acknowledged') row.desiredPayload = payloadOf(row.desired);
}
